import type { ConversationEvent } from '@toolblocks/conversation-store'

const ACT = 'globalThis.owned=1;alert(1)'

/** Text that a page must show only as text. */
const ATTACKS: readonly string[] = [
  `<script>${ACT}</script>`,
  `"><img src=x onerror="${ACT}">`,
  `'><svg onload='${ACT}'><style>*{display:none}</style>`,
  `</pre></code></td></table></tb-table></article></main><h1>owned</h1><iframe src="https://evil.example/">`,
  `javascript:${ACT}`,
  `JaVaScRiPt&colon;${ACT}`,
  `data:text/html,<script>${ACT}</script>`,
  'https://user:secret@evil.example/',
  '//evil.example/x',
  '[a](javascript:alert(1)) ![b](https://evil.example/b.png) <img src=https://evil.example/c.png> [c](data:text/html,x) <javascript:alert(1)>',
  '```html"onmouseover="alert(1)\n<script>alert(1)</script>\n```',
  '\u001B]8;;javascript:alert(1)\u0007link\u001B]8;;\u0007 \u001B[2J',
  '\u202E<b>turned\u202C \uD800 \0',
  '<a href="x" style="position:fixed;inset:0">all</a><base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example/">',
  '{{constructor.constructor("alert(1)")()}}${alert(1)}',
  '<!--<script>--></title></style></textarea></template><math><mtext><mglyph><style><img src=x onerror=alert(1)>',
]

const SVG = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${ACT}"><script>${ACT}</script></svg>`,
).toString('base64')

/** A conversation with each of them in every place where a tool may put text. */
export const HOSTILE: readonly ConversationEvent[] = ATTACKS.flatMap(
  (attack, index): ConversationEvent[] => [
    { type: 'assistant_message', content: [{ type: 'text', text: attack }], reasoning: attack },
    {
      type: 'tool_call',
      call: {
        id: `${index}`,
        name: attack,
        arguments: { [attack]: attack, nested: { [attack]: [attack] } },
      },
    },
    ...values(attack).map((structuredContent): ConversationEvent => ({
      type: 'tool_result',
      result: { id: `${index}`, content: [], isError: false, structuredContent },
    })),
    {
      type: 'tool_result',
      result: {
        id: attack,
        isError: index % 2 === 0,
        content: [
          { type: 'text', text: attack },
          { type: 'image', mimeType: attack, data: SVG },
          { type: 'image', mimeType: 'image/svg+xml', data: SVG },
          { type: 'audio', mimeType: 'audio/wav', data: attack },
          { type: 'resource', resource: { uri: attack, mimeType: attack, text: attack } },
          { type: 'resource', resource: { uri: attack, mimeType: 'text/html', blob: SVG } },
          { type: 'resource_link', uri: attack, name: attack, title: attack, description: attack },
          {
            type: 'question',
            question: { id: attack, text: attack, schema: { type: 'boolean' }, url: attack },
          },
        ],
        metadata: { outcome: 'failed', warnings: [{ path: attack, message: attack }] },
      },
    },
  ],
)

function values(
  attack: string,
): readonly { kind: string; data: unknown; summary: string; display: object }[] {
  const kinds: readonly (readonly [string, unknown, object?])[] = [
    ['text', { content: attack }, { preferredView: 'markdown' }],
    ['text', { content: attack }, { preferredView: 'code', language: attack }],
    ['diff', { path: attack, original: `${attack}\na`, modified: `${attack}\nb`, isNew: false }],
    ['file_content', { path: attack, content: attack, size: 1 }],
    ['file_list', { path: attack, entries: [{ name: attack, modified: attack }] }],
    [
      'table',
      { columns: [{ key: 'a', label: attack }], rows: [{ a: attack }] },
      { fieldTypes: { a: 'url' } },
    ],
    ['image', { url: attack, alt: attack }],
    [
      'structured',
      { [attack]: attack },
      { preferredView: 'tree', fieldTypes: { [attack]: 'url' } },
    ],
    ['evil.kind', attack, { collapsed: true }],
  ]
  return kinds.map(([kind, data, display = {}]) => ({ kind, data, display, summary: attack }))
}
