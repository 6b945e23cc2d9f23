import type { ToolResult } from '@toolblocks/protocol'

/** One example result, with a title that says what it shows. */
export interface GalleryPiece {
  title: string
  result: ToolResult
}

/** A small picture in base64. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAQCAIAAACDRijCAAAAeUlEQVR4Aa3BMQ0DMQxA0V8rOAwnEDwER2AERKcMgVA4GW46EJ1uqGqfWsnvPdrzIIOQREhSuDWmceltESsExjQ+jWlAbwuPkETwjGkExjQ8QpKyz86f9tn5IiQRPFaVgFXFIyQpBKwqsF6bi1UlVrhlVfmNkERI8gYeqRcOQ5DnVwAAAABJRU5ErkJggg=='

/** Creates a piece that shows structured content. */
export function getPiece(
  title: string,
  structuredContent: unknown,
  more: Partial<ToolResult> = {},
): GalleryPiece {
  return { title, result: { content: [], isError: false, structuredContent, ...more } }
}

const BEFORE = `use std::thread::sleep;
use std::time::Duration;

fn main() {
    for blink in 0..10 {
        println!("blink {blink}");
        sleep(Duration::from_millis(500));
    }
}

fn height() -> u32 {
    31
}

fn name() -> &'static str {
    "Bell Rock"
}
`

const AFTER = BEFORE.replace('0..10', '0..100')
  .replace('from_millis(500)', 'from_millis(250)')
  .replace('    "Bell Rock"\n', '    // As the charts have it.\n    "Bell Rock Lighthouse"\n')

const COLUMNS = [
  { key: 'name', label: 'Name' },
  { key: 'height', label: 'Height, m', type: 'number' },
  { key: 'lit', label: 'Lit', type: 'boolean', align: 'center' },
  { key: 'since', label: 'Since', type: 'date' },
  { key: 'page', label: 'Page' },
]

const ROWS = [
  {
    name: 'Bell Rock',
    height: 36,
    lit: true,
    since: '1811-02-01',
    page: 'https://example.com/bell-rock',
  },
  {
    name: '犬吠埼灯台',
    height: 31.3,
    lit: true,
    since: '1874-11-15',
    page: 'https://example.com/inubosaki',
  },
  { name: 'Pharos 🏛️', height: 103, lit: false, since: null, page: null },
]

/** One piece for every well-known kind. */
export const KIND_PIECES: readonly GalleryPiece[] = [
  getPiece('text', { kind: 'text', data: { content: 'The lamp is lit.\nThe log has 3 lines.' } }),
  getPiece('diff', {
    kind: 'diff',
    data: { path: '/lighthouse/src/main.rs', original: BEFORE, modified: AFTER, isNew: false },
  }),
  getPiece('diff of a new file', {
    kind: 'diff',
    data: { path: '/lighthouse/NOTES.md', modified: '# Notes\n\nNothing yet.\n', isNew: true },
  }),
  getPiece('file_content', {
    kind: 'file_content',
    data: { path: '/lighthouse/src/main.rs', content: BEFORE, size: BEFORE.length },
  }),
  getPiece('file_list', {
    kind: 'file_list',
    data: {
      path: '/lighthouse',
      entries: [
        { name: 'src', type: 'directory', modified: '2026-03-01T09:30:00Z' },
        { name: 'README.md', type: 'file', size: 1834, modified: '2026-03-02T18:05:00Z' },
        { name: '灯台.md', type: 'file', size: 96 },
        { name: 'latest', type: 'symlink' },
      ],
      truncated: true,
    },
  }),
  getPiece('table, with dates and addresses', {
    kind: 'table',
    data: { columns: COLUMNS, rows: ROWS },
    display: { fieldTypes: { page: 'url' } },
  }),
  getPiece('table of more rows than lines', {
    kind: 'table',
    data: {
      columns: [{ key: 'night', type: 'number' }, { key: 'keeper' }],
      rows: Array.from({ length: 60 }, (_, night) => ({
        night,
        keeper: night % 2 ? 'Ada' : 'Grace',
      })),
    },
    display: { maxHeight: 5 },
  }),
  getPiece('image', {
    kind: 'image',
    mimeType: 'image/png',
    data: { base64: PICTURE, alt: 'The sun over the sea' },
  }),
  getPiece('image at an address', {
    kind: 'image',
    data: { url: 'https://example.com/lamp.jpg', alt: 'The lamp' },
  }),
  getPiece('structured', { kind: 'structured', data: { lamp: { lit: true, blinks: [3, 5] } } }),
  getPiece('git.status, a kind of a tool', {
    kind: 'git.status',
    summary: '1 staged, 2 modified',
    data: {
      branch: 'main',
      ahead: 1,
      behind: 0,
      staged: ['src/main.rs'],
      modified: ['a.md', 'b.md'],
      untracked: [],
    },
    display: { preferredView: 'tree' },
  }),
]

const MARKDOWN = `# Lamp report

The lamp of *Bell Rock* is **lit**, see [the log](https://example.com/log).

- [x] oil filled
- [ ] glass cleaned
  1. inside
  2. outside

> It blinks \`3\` times.

| hour | blinks |
| ---- | -----: |
| 1    |     60 |

\`\`\`rust
fn main() { println!("{}", 3); }
\`\`\`
`

const PATCH = `diff --git a/lamp.toml b/lamp.toml
--- a/lamp.toml
+++ b/lamp.toml
@@ -1,3 +1,3 @@
 [lamp]
-blinks = 3
+blinks = 5
 color = "white"
`

const NIGHTS = [
  { night: 1, keeper: 'Ada', blinks: 60 },
  { night: 2, keeper: 'Grace', blinks: 1200 },
]

const LAMP = {
  name: 'Bell Rock',
  lit: true,
  modified: '2026-03-01T09:30:00Z',
  page: 'https://example.com/',
  log: '/lighthouse/log/tonight.txt',
  keepers: [
    { name: 'Ada', nights: [1, 2, 3] },
    { name: 'Grace', nights: [] },
  ],
}

const view = (preferredView: string, data: unknown, display: object = {}): GalleryPiece =>
  getPiece(`view ${preferredView}`, {
    kind: 'lamp.report',
    data,
    display: { preferredView, ...display },
  })

/** One piece for every view, each of a kind that the renderer does not know. */
export const VIEW_PIECES: readonly GalleryPiece[] = [
  view('text', 'The lamp is lit.'),
  view('markdown', MARKDOWN),
  view('code', 'const lamp = { lit: true } // for now', { language: 'ts' }),
  view('diff', PATCH),
  view('table', NIGHTS),
  view('tree', LAMP, { fieldTypes: { modified: 'date', page: 'url', log: 'path' } }),
  view('image', { base64: PICTURE, alt: 'The sun over the sea' }),
  view('raw', { lit: true }),
  view('hidden', { token: 'kept from view' }),
  getPiece('a view that does not fit', {
    kind: 'lamp.report',
    data: 'not a table',
    display: { preferredView: 'table' },
  }),
]

/** Pieces without a preferred view: the view follows from the MIME type, from the shape of the data, or from an older form. */
export const OTHER_PIECES: readonly GalleryPiece[] = [
  getPiece('by mime type: Markdown', {
    kind: 'text',
    mimeType: 'text/markdown',
    data: { content: 'A *lamp*.' },
  }),
  getPiece('by mime type: JSON', { kind: 'lamp.report', mimeType: 'application/json', data: LAMP }),
  getPiece('by shape: rows', { kind: 'lamp.nights', data: NIGHTS }),
  getPiece('collapsed', {
    kind: 'table',
    data: { columns: [{ key: 'night' }], rows: NIGHTS },
    display: { collapsed: true },
  }),
  getPiece('an older form', {
    kind: 'file_list',
    success: true,
    path: '/lighthouse',
    files: ['src/', 'README.md'],
    count: 2,
  }),
  {
    title: 'blocks, an error and a page of a server',
    result: {
      isError: true,
      content: [
        { type: 'text', text: 'The lamp is out.' },
        {
          type: 'resource',
          resource: {
            uri: 'file:///lighthouse/lamp.toml',
            mimeType: 'application/toml',
            text: 'blinks = 3\n',
          },
        },
        { type: 'resource_link', uri: 'https://example.com/log', name: 'log' },
        {
          type: 'question',
          question: { id: 'retry', text: 'Light it again?', schema: { type: 'boolean' } },
        },
      ],
      _meta: { ui: { resourceUri: 'ui://lamp/panel' } },
    },
  },
]

/** All pieces: every kind, view and hint of a result. */
export const GALLERY: readonly GalleryPiece[] = [...KIND_PIECES, ...VIEW_PIECES, ...OTHER_PIECES]
