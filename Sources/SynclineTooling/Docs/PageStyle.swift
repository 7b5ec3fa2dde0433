/// The styles of a page about a schema, and the script of its search.
enum PageStyle {
  static let css = """
    :root{--page:#f7f8fa;--card:#fff;--ink:#1f2736;--soft:#5d6880;--line:#dbe1ec;--link:#2456c9;--code:#eef1f7}
    @media (prefers-color-scheme:dark){:root{--page:#14171d;--card:#1d222b;--ink:#e2e7f1;--soft:#98a3b8;--line:#323b4b;--link:#8cb0ff;--code:#262d39}}
    *{box-sizing:border-box}
    html{scroll-behavior:smooth}
    body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;display:flex}
    nav{position:sticky;top:0;height:100vh;overflow:auto;flex:0 0 15rem;padding:1.2rem;border-right:1px solid var(--line)}
    nav h1{font-size:1.15rem;margin:0 0 .8rem}
    nav ul{list-style:none;margin:.8rem 0 0;padding:0}
    nav a{display:block;padding:.15rem 0}
    input{width:100%;padding:.45rem .6rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:6px}
    main{flex:1 1 auto;min-width:0;padding:1.2rem 1.6rem 4rem}
    section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.2rem;margin:0 0 1.2rem;scroll-margin-top:1rem}
    section:target{border-color:var(--link)}
    .diagram{padding:0;overflow:auto;background:var(--page)}
    .diagram svg{display:block;max-width:100%;height:auto}
    h2{margin:0 0 .4rem;font-size:1.2rem}
    small{font-weight:400;color:var(--soft);font-size:.85rem}
    p{margin:.2rem 0 .6rem}
    td p{margin:.1rem 0 0;color:var(--soft)}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;width:100%}
    th{text-align:left;font-weight:600;color:var(--soft);font-size:.85rem}
    th,td{padding:.35rem .8rem .35rem 0;border-top:1px solid var(--line);vertical-align:top}
    tr:first-child th{border-top:0}
    code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--code);padding:.08rem .3rem;border-radius:4px}
    pre{background:var(--code);padding:.8rem;border-radius:8px;overflow:auto}
    pre code{padding:0;background:none}
    summary{cursor:pointer;color:var(--link);margin-top:.6rem}
    a{color:var(--link);text-decoration:none}
    a:hover{text-decoration:underline}
    @media (max-width:760px){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}nav ul{display:flex;flex-wrap:wrap;gap:.1rem .9rem}main{padding:1rem}}
    """

  /// Shows the items that contain all words of the search.
  static let script = """
    const search = document.getElementById("search");
    const sections = [...document.querySelectorAll(".declaration")];
    // By name: the `hash` of a link is percent-encoded.
    const links = new Map(
      [...document.querySelectorAll("nav a")].map((a) => [a.getAttribute("href").slice(1), a.parentElement]));
    const texts = sections.map((section) => section.textContent.toLowerCase());
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
      let found = 0;
      sections.forEach((section, index) => {
        const isFound = words.every((word) => texts[index].includes(word));
        section.hidden = !isFound;
        links.get(section.id).hidden = !isFound;
        if (isFound) found += 1;
      });
      document.getElementById("diagram").hidden = words.length > 0;
      document.getElementById("nothing").hidden = found > 0;
    });
    document.querySelectorAll(".models g[id^='model-']").forEach((box) => {
      box.style.cursor = "pointer";
      box.addEventListener("click", () => { location.hash = box.id.slice("model-".length); });
    });
    """
}
