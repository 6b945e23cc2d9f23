import { type GalleryPiece, PICTURE, pieceOf } from './gallery-pieces.ts'

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

/** Every well-known kind. */
export const KIND_PIECES: readonly GalleryPiece[] = [
  pieceOf('text', { kind: 'text', data: { content: 'The lamp is lit.\nThe log has 3 lines.' } }),
  pieceOf('diff', {
    kind: 'diff',
    data: { path: '/lighthouse/src/main.rs', original: BEFORE, modified: AFTER, isNew: false },
  }),
  pieceOf('diff of a new file', {
    kind: 'diff',
    data: { path: '/lighthouse/NOTES.md', modified: '# Notes\n\nNothing yet.\n', isNew: true },
  }),
  pieceOf('file_content', {
    kind: 'file_content',
    data: { path: '/lighthouse/src/main.rs', content: BEFORE, size: BEFORE.length },
  }),
  pieceOf('file_list', {
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
  pieceOf('table, with dates and addresses', {
    kind: 'table',
    data: { columns: COLUMNS, rows: ROWS },
    display: { fieldTypes: { page: 'url' } },
  }),
  pieceOf('table of more rows than lines', {
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
  pieceOf('image', {
    kind: 'image',
    mimeType: 'image/png',
    data: { base64: PICTURE, alt: 'The sun over the sea' },
  }),
  pieceOf('image at an address', {
    kind: 'image',
    data: { url: 'https://example.com/lamp.jpg', alt: 'The lamp' },
  }),
  pieceOf('structured', { kind: 'structured', data: { lamp: { lit: true, blinks: [3, 5] } } }),
  pieceOf('git.status, a kind of a tool', {
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
