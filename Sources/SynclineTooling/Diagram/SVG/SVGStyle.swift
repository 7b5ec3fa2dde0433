/// The styles of a diagram, for light and dark mode.
enum SVGStyle {
  /// The content of the `<style>` element.
  ///
  /// All rules are nested in `.models`, so that they do not affect a page that embeds the drawing.
  static let css = """
    .models{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
    .models .page{fill:#f7f8fa}
    .models .card{fill:#fff}
    .models .head{fill:#e8eefb}
    .models .rule,.models .frame{fill:none;stroke:#b9c3d6;stroke-width:1}
    .models .name{font-size:14px;font-weight:600;fill:#1c2a4a}
    .models .row{font-size:12px;fill:#2b3445}
    .models .key{font-weight:600}
    .models .type{fill:#6a7690;text-anchor:end}
    .models .more{fill:#6a7690}
    .models .edge path,.models .edge circle{fill:none;stroke:#7c8aa5;stroke-width:1.4}
    .models .edge .wide{stroke:transparent;stroke-width:9}
    .models .many-to-many path,.models .many-to-many circle{stroke:#8a63c4}
    .models .edge .none{fill:#f7f8fa}
    .models .edge:hover path:not(.wide){stroke-width:2.6}
    .models .label{font-size:11px;fill:#4c5870;stroke:#f7f8fa;stroke-width:3;paint-order:stroke}
    .models .left{text-anchor:end}
    @media (prefers-color-scheme:dark){
    .models .page{fill:#14171d}
    .models .card{fill:#1d222b}
    .models .head{fill:#27324a}
    .models .rule,.models .frame{stroke:#3d485d}
    .models .name{fill:#e6ecfa}
    .models .row{fill:#d2d8e4}
    .models .type,.models .more{fill:#8e99af}
    .models .edge path,.models .edge circle{stroke:#76849e}
    .models .edge .wide{stroke:transparent}
    .models .many-to-many path,.models .many-to-many circle{stroke:#a583e0}
    .models .edge .none{fill:#14171d}
    .models .label{fill:#a9b4c9;stroke:#14171d}
    }
    """
}
