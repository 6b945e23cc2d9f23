/** One result of a server, as JSON. */
export interface CorpusResult {
  name: string
  result: unknown
  /** Whether it is well-formed: then it must stay equal. A repaired one must stay as it was repaired. */
  isWellFormed: boolean
}

type Json = Record<string, unknown>

const BLOCKS: Record<string, Json> = {
  text: { type: 'text', text: 'a text' },
  'empty text': { type: 'text', text: '' },
  'odd text': { type: 'text', text: 'lone \uD800, NUL \u0000, \u2028, \u{1F600}, \u202E' },
  image: { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
  'empty image': { type: 'image', data: '', mimeType: 'image/png' },
  'empty audio': { type: 'audio', data: '', mimeType: 'audio/wav' },
  audio: { type: 'audio', data: 'UklGRnh4eHhXQVZF', mimeType: 'audio/wav' },
  'text resource': {
    type: 'resource',
    resource: { uri: 'demo://1', mimeType: 'text/plain', text: 'one' },
  },
  'blob resource': {
    type: 'resource',
    resource: { uri: 'demo://2', mimeType: 'text/plain', blob: 'rRR/' },
  },
  'resource with a name': {
    type: 'resource',
    resource: { uri: 'demo://3', text: '3', name: 'n', title: 't', description: 'd', size: 1 },
  },
  'formatted resource': {
    type: 'resource',
    resource: { uri: 'demo://4', text: '4' },
    formatted: '1: 4',
  },
  'resource with an odd uri': { type: 'resource', resource: { uri: 'not a uri', text: 'x' } },
  link: { uri: 'demo://5', name: 'five', type: 'resource_link' },
  'full link': {
    type: 'resource_link',
    uri: 'demo://6',
    name: 'six',
    title: 'Six',
    description: 'd',
    mimeType: 'text/plain',
    size: 6,
    icons: [{ src: 'data:,', sizes: ['1x1'] }],
  },
}

const ANNOTATIONS: Record<string, Json> = {
  'no annotations': {},
  'all annotations': {
    annotations: {
      audience: ['user', 'assistant'],
      priority: 0.5,
      lastModified: '2026-01-02T03:04:05Z',
    },
  },
  'unknown annotations': { annotations: { priority: 1, color: 'red' } },
}

const META: Record<string, Json> = {
  'no _meta': {},
  _meta: { _meta: { 'example.com/a': { b: [1, null, { c: 'd' }] }, bare: true } },
  'empty _meta': { _meta: {} },
}

const UNKNOWN: Record<string, Json> = {
  'no unknown field': {},
  'unknown fields': { vendor: { deep: [1, 2] }, 'x-y': null },
}

/** Yields every kind of block, with every field that it can have. */
function* crossed(): Generator<CorpusResult> {
  for (const [kind, block] of Object.entries(BLOCKS))
    for (const [annotations, annotated] of Object.entries(ANNOTATIONS))
      for (const [meta, described] of Object.entries(META))
        for (const [unknown, extra] of Object.entries(UNKNOWN))
          yield {
            name: `${kind}, ${annotations}, ${meta}, ${unknown}`,
            result: {
              content: [
                { type: 'text', text: 'before' },
                { ...block, ...annotated, ...described, ...extra },
                { type: 'text', text: 'after' },
              ],
            },
            isWellFormed: true,
          }
}

const text = { type: 'text', text: 'kept' }
const one = (block: unknown): unknown => ({ content: [text, block] })

const WHOLE: Record<string, unknown> = {
  'empty content': { content: [] },
  'an error': { content: [text], isError: true },
  'no error, said': { content: [text], isError: false },
  'structured content': { content: [text], structuredContent: { a: [1, 'x'] } },
  'structured content with odd keys': {
    content: [],
    structuredContent: { '': 1, constructor: 2, toString: 3 },
  },
  'structured array': { content: [], structuredContent: [1, null] },
  'structured null': { content: [], structuredContent: null },
  'structured scalar': { content: [], structuredContent: 3 },
  'structured error': { content: [text], isError: true, structuredContent: { n: 'not a number' } },
  'a semantic value': {
    content: [text],
    structuredContent: { kind: 'table', data: { columns: [], rows: [] }, summary: 's' },
  },
  'a picture and structured content': {
    content: [BLOCKS['image']],
    structuredContent: { found: 2 },
  },
  'a text and another structured content': { content: [text], structuredContent: { other: 1 } },
  'an error, a picture and structured content': {
    content: [text, BLOCKS['image']],
    structuredContent: { code: 7 },
    isError: true,
  },
  'a text for the user beside one for the model': {
    content: [
      { ...text, annotations: { audience: ['assistant'] } },
      { type: 'text', text: 'for the user', annotations: { audience: ['user'] } },
    ],
  },
  'a link, a PDF and structured content': {
    content: [
      BLOCKS['link'],
      {
        type: 'resource',
        resource: { uri: 'demo://a.pdf', mimeType: 'application/pdf', blob: 'JVBERi0xLjcK' },
      },
    ],
    structuredContent: { pages: 1 },
  },
  '_meta of the result': {
    content: [text],
    _meta: {
      'computer.jp/status': 'stopped',
      'computer.jp/error': { transient: false, trace: ['a'] },
      'a.b/c': 1,
    },
  },
  'empty _meta of the result': { content: [text], _meta: {} },
  'unknown fields of the result': { content: [text], vendor: { a: 1 }, 'x-y': [] },
  'mixed kinds in their order': { content: Object.values(BLOCKS) },
  'a hundred blocks': {
    content: Array.from({ length: 100 }, (_, index) => ({ type: 'text', text: String(index) })),
  },
  'much text': { content: [{ type: 'text', text: 'x'.repeat(100_000) }] },
  'resultType complete': { resultType: 'complete', content: [text] },
  'annotations of a resource and of its block': one({
    type: 'resource',
    resource: { uri: 'a:b', text: '', _meta: { a: 1 } },
    annotations: { priority: 0 },
  }),
}

/** Malformed results, by what is wrong with them. */
const ODD: Record<string, unknown> = {
  'unknown block type video': one({ type: 'video', data: 'x' }),
  'unknown block type tool_use': one({ type: 'tool_use', id: 'x' }),
  'a question': one({ type: 'question', question: { id: 'q', text: '?', schema: true } }),
  'block null': one(null),
  'block text': one('text'),
  'block without type': one({ text: 'x' }),
  'text missing': one({ type: 'text' }),
  'text a number': one({ type: 'text', text: 3 }),
  'image without mimeType': one({ type: 'image', data: 'iVBORw0KGgo=' }),
  'image without mimeType, unknown bytes': one({ type: 'image', data: 'AAAA' }),
  'audio without mimeType': one({ type: 'audio', data: 'UklGRnh4eHhXQVZF' }),
  'invalid base64': one({ type: 'image', data: '*', mimeType: 'image/png' }),
  'base64 with newlines': one({ type: 'image', data: 'iVBO\nRw0KGgo=', mimeType: 'image/png' }),
  'base64 without padding': one({ type: 'image', data: 'iVBORw0KGgo', mimeType: 'image/png' }),
  base64url: one({ type: 'image', data: '_-_-', mimeType: 'image/png' }),
  'data uri in data': one({
    type: 'image',
    data: 'data:image/png;base64,iVBORw0KGgo=',
    mimeType: 'image/png',
  }),
  'resource without uri': one({ type: 'resource', resource: { text: 'x' } }),
  'resource without content': one({ type: 'resource', resource: { uri: 'a:b' } }),
  'resource with text and blob': one({
    type: 'resource',
    resource: { uri: 'a:b', text: 'x', blob: 'AAAA' },
  }),
  'resource with an invalid blob': one({ type: 'resource', resource: { uri: 'a:b', blob: '*' } }),
  'resource null': one({ type: 'resource', resource: null }),
  'annotations inside the resource': one({
    type: 'resource',
    resource: { uri: 'a:b', text: 'x', annotations: { priority: 1 } },
  }),
  'formatted inside the resource': one({
    type: 'resource',
    resource: { uri: 'a:b', text: 'x', formatted: 'y' },
  }),
  'resource_link without name': one({ type: 'resource_link', uri: 'a:b/c.txt' }),
  'resource_link without uri': one({ type: 'resource_link', name: 'x' }),
  'bad audience': one({ ...text, annotations: { audience: ['robot'], priority: 1 } }),
  'bad priority': one({ ...text, annotations: { priority: 7 } }),
  'bad lastModified': one({ ...text, annotations: { lastModified: 3 } }),
  'annotations no object': one({ ...text, annotations: 'high' }),
  '_meta of a block no object': one({ ...text, _meta: 3 }),
  'no content': {},
  'content null': { content: null },
  'content a text': { content: 'x' },
  'content one block': { content: text },
  'content a number': { content: 3 },
  'only structuredContent': { structuredContent: { a: 1 } },
  'isError a text': { content: [text], isError: 'true' },
  'isError null': { content: [text], isError: null },
  'isError a number': { content: [text], isError: 1 },
  toolResult: { toolResult: { a: 1 } },
  '_meta no object': { content: [text], _meta: [] },
  'metadata and id of a tool': { content: [text], metadata: { outcome: 'completed' }, id: 'x' },
  'result null': null,
  'result a text': 'x',
  'result an array': [text],
  'resultType null': { resultType: null, content: [text] },
  'moved fields that move nothing': { content: [{ ...text, _meta: { 'toolblocks/fields': 3 } }] },
}

/** Returns results of servers: well-formed and malformed ones. */
export function fidelityCorpus(): readonly CorpusResult[] {
  return [
    ...crossed(),
    ...Object.entries(WHOLE).map(([name, result]) => ({ name, result, isWellFormed: true })),
    ...Object.entries(ODD).map(([name, result]) => ({ name, result, isWellFormed: false })),
  ]
}
