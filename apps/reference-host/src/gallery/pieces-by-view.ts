import { type GalleryPiece, PICTURE, pieceOf } from './gallery-pieces.ts'

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
  pieceOf(`view ${preferredView}`, {
    kind: 'lamp.report',
    data,
    display: { preferredView, ...display },
  })

/** Every view, each of a kind that nobody knows. */
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
  pieceOf('a view that does not fit', {
    kind: 'lamp.report',
    data: 'not a table',
    display: { preferredView: 'table' },
  }),
]

/** What is seen where nothing is preferred: by the mime type, by the shape, and in older forms. */
export const OTHER_PIECES: readonly GalleryPiece[] = [
  pieceOf('by mime type: Markdown', {
    kind: 'text',
    mimeType: 'text/markdown',
    data: { content: 'A *lamp*.' },
  }),
  pieceOf('by mime type: JSON', { kind: 'lamp.report', mimeType: 'application/json', data: LAMP }),
  pieceOf('by shape: rows', { kind: 'lamp.nights', data: NIGHTS }),
  pieceOf('collapsed', {
    kind: 'table',
    data: { columns: [{ key: 'night' }], rows: NIGHTS },
    display: { collapsed: true },
  }),
  pieceOf('an older form', {
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
