import type { ConversationEvent } from '@toolblocks/conversation-store'
import type { ContentBlock, ToolResult } from '@toolblocks/protocol'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFElEQVR42mNk+M+AFTBiFx2VQAYAY3wBD8F8+YEAAAAASUVORK5CYII='
const WAV = Buffer.concat([
  Buffer.from(
    'RIFF\x2C\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1F\0\0\x40\x1F\0\0\x01\0\x08\0data\x08\0\0\0',
    'latin1',
  ),
  Buffer.alloc(8, 128),
]).toString('base64')

const value = (
  kind: string,
  data: unknown,
  display: object = {},
  summary?: string,
): Pick<ToolResult, 'structuredContent'> => ({
  structuredContent: { kind, data, display, ...(summary !== undefined && { summary }) },
})

const original = 'fn main() {\n    let lamps = 7;\n    println!("{}", lamps);\n}\n'

/** A result of every kind, by name. */
export const EVERY_KIND: Readonly<Record<string, Partial<ToolResult>>> = {
  diff: value('diff', {
    path: 'src/main.rs',
    original,
    modified: original.replace('7', '12').replace('lamps)', 'lamps + 1)'),
    isNew: false,
  }),
  table: value('table', {
    columns: [{ key: 'name' }, { key: 'count', type: 'number' }, { key: 'page', label: 'See' }],
    rows: ['hall', 'attic', 'cellar', 'yard', 'stairs', 'gate', 'pier'].map((name, index) => ({
      name,
      count: (index * 7) % 11,
      page: `https://example.com/${name}`,
    })),
  }),
  tree: value(
    'git.status',
    { branch: 'main', ahead: 1, staged: ['a.ts', 'b.ts'], nested: { deep: { deeper: [1, null] } } },
    { preferredView: 'tree' },
    '2 staged',
  ),
  list: value('file_list', {
    path: 'src',
    entries: [
      { name: 'bin', type: 'directory' },
      { name: 'main.rs', type: 'file', size: 2048, modified: '2026-05-06T07:00:00Z' },
      { name: 'lib.rs', type: 'file', size: 900 },
      { name: 'notes', type: 'file', size: 54 },
    ],
  }),
  markdown: value(
    'text',
    {
      content:
        '# Lamps\n\nThere are **seven** of [them](https://example.com), `one` is out.\n\n- [x] hall\n- [ ] pier\n\n```ts\nconst lamps: number = 7 // all\n```\n\n| a | b |\n|---|--:|\n| x | 1 |\n\n> <b>said</b> ![p](https://evil.example/p.png)',
    },
    { preferredView: 'markdown' },
  ),
  code: value('file_content', {
    path: 'src/main.ts',
    content: "export const lamps = ['hall', 'pier'] // all there are\n",
    size: 54,
  }),
  folded: value('structured', { a: { b: 1 } }, { collapsed: true }, 'a folded value'),
  hidden: value('structured', { a: 1 }, { preferredView: 'hidden' }),
  image: value('image', { base64: PNG, alt: 'a lamp' }),
  blocks: {
    content: [
      { type: 'text', text: 'Read 1 file.' },
      { type: 'image', mimeType: 'image/png', data: PNG },
      { type: 'audio', mimeType: 'audio/wav', data: WAV },
      {
        type: 'resource',
        resource: { uri: 'file:///w/a.bin', mimeType: 'application/zip', blob: 'UEsDBAo=' },
      },
      { type: 'resource_link', uri: 'https://example.com/a', name: 'a page' },
    ],
  },
  error: {
    content: [{ type: 'text', text: 'No such lamp.' }],
    isError: true,
    metadata: { outcome: 'failed' },
    _meta: { 'computer.jp/error': { transient: true, trace: ['the bulb is gone'] } },
  },
}

/** A complete result. */
export function toResult(partial: Partial<ToolResult>, id?: string): ToolResult {
  return { content: [], isError: false, ...partial, ...(id !== undefined && { id }) }
}

const text = (content: string): ContentBlock => ({ type: 'text', text: content })

/** A conversation with each of them, and with deliveries of some. */
export const LONG_TURN: readonly ConversationEvent[] = [
  { type: 'turn_start', turn: 1 },
  { type: 'user_message', content: [text('Show me every kind.')] },
  ...Object.entries(EVERY_KIND).flatMap(([name, partial], index): ConversationEvent[] => [
    { type: 'tool_call', call: { id: name, name: `show_${name}`, arguments: { index } } },
    { type: 'tool_result', result: toResult(partial, name) },
    {
      type: 'delivery',
      callId: name,
      text: `<${name}> as a model reads it`,
      wholeLength: 400,
      deliveries: [
        {
          callId: name,
          block: 0,
          uri: 'file:///w/a.bin',
          sha256: 'a'.repeat(64),
          turn: 1,
          form: index % 2 === 0 ? 'reference' : 'cut',
        },
      ],
    },
  ]),
  { type: 'assistant_message', content: [text('There is **all** of it.')] },
]
