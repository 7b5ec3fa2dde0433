"""Tests the language server with the client of pytest-lsp, which rejects messages that violate the protocol.

SYNCLINE=.build/debug/syncline pytest Tools/LanguageServer
"""

import os
import pathlib
import tempfile

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

FOLDER = pathlib.Path(tempfile.mkdtemp())
TASK = "model Task {\n  id: Int\n  name: Strin\n  @Relationship(inverse: \\Tag.tasks) tags: [Tag]\n}\n"
TAG = "model Tag {\n  id: Int\n  tasks: [Task]\n}\n"
(FOLDER / "Task.syncline").write_text(TASK)
(FOLDER / "Tag.syncline").write_text(TAG)
URI = (FOLDER / "Task.syncline").as_uri()
DOCUMENT = types.TextDocumentIdentifier(uri=URI)


@pytest_lsp.fixture(
    params=["neovim", "visual_studio_code", "emacs"],
    config=ClientServerConfig(server_command=[os.path.abspath(os.environ["SYNCLINE"]), "lsp"]),
)
async def client(request, lsp_client: LanguageClient):
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[types.WorkspaceFolder(uri=FOLDER.as_uri(), name="schemas")],
        )
    )
    lsp_client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            text_document=types.TextDocumentItem(uri=URI, language_id="syncline", version=1, text=TASK)
        )
    )
    lsp_client.told = await lsp_client.wait_for_notification("textDocument/publishDiagnostics")
    yield
    await lsp_client.shutdown_session()


def at(text, word, offset=0):
    before = text[: text.index(word) + offset]
    return types.Position(line=before.count("\n"), character=len(before) - before.rfind("\n") - 1)


@pytest.mark.asyncio
async def test_everything_it_offers(client: LanguageClient):
    assert client.told.uri == URI and [told.code for told in client.told.diagnostics] == ["SL012"]
    name = at(TASK, "Strin")
    items = await client.text_document_completion_async(types.CompletionParams(text_document=DOCUMENT, position=name))
    assert "String" in [item.label for item in items]
    hover = await client.text_document_hover_async(types.HoverParams(text_document=DOCUMENT, position=at(TASK, "tags:")))
    assert "JSON: `tags_ids`" in hover.contents.value
    tag = at(TASK, "Tag]")
    places = await client.text_document_definition_async(types.DefinitionParams(text_document=DOCUMENT, position=tag))
    assert [place.uri for place in places] == [(FOLDER / "Tag.syncline").as_uri()]
    uses = await client.text_document_references_async(
        types.ReferenceParams(text_document=DOCUMENT, position=tag, context=types.ReferenceContext(include_declaration=True))
    )
    assert len(uses) == 3
    marks = await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(text_document=DOCUMENT, position=tag)
    )
    assert len(marks) == 2
    outline = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=DOCUMENT))
    assert [child.name for child in outline[0].children] == ["id", "name", "tags"]
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="tgs"))
    assert [symbol.name for symbol in found] == ["tags"]
    range_ = types.Range(start=name, end=name)
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(text_document=DOCUMENT, range=range_, context=types.CodeActionContext(diagnostics=[]))
    )
    assert [action.title for action in actions] == ["Write “String”"]
    shown = await client.text_document_prepare_rename_async(types.PrepareRenameParams(text_document=DOCUMENT, position=tag))
    assert shown.start == tag
    edit = await client.text_document_rename_async(
        types.RenameParams(text_document=DOCUMENT, position=tag, new_name="Label")
    )
    assert len(edit.changes) == 2
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(text_document=DOCUMENT))
    assert [(fold.start_line, fold.end_line) for fold in folds] == [(0, 3)]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(text_document=DOCUMENT))
    assert len(tokens.data) % 5 == 0 and len(tokens.data) == 5 * 12
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    assert not await client.text_document_formatting_async(
        types.DocumentFormattingParams(text_document=DOCUMENT, options=options)
    )


@pytest.mark.asyncio
async def test_typing(client: LanguageClient):
    change = types.TextDocumentContentChangePartial(
        range=types.Range(start=at(TASK, "Strin", 5), end=at(TASK, "Strin", 5)), text="g"
    )
    told = client.wait_for_notification("textDocument/publishDiagnostics")
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=URI, version=2), content_changes=[change]
        )
    )
    assert not (await told).diagnostics
