import type * as formatter from '../../packages/formatter/src/index.ts'
import type * as anthropic from '../../packages/formatter/src/anthropic.ts'
import type * as google from '../../packages/formatter/src/google.ts'
import type * as openai from '../../packages/formatter/src/openai.ts'
import type * as inquiry from '../../packages/inquiry/src/index.ts'
import type * as model from '../../packages/inquiry/src/model.ts'
import type * as mediaType from '../../packages/media-type/src/index.ts'
import type * as parser from '../../packages/parser/src/index.ts'
import type * as protocol from '../../packages/protocol/src/index.ts'
import type * as internal from '../../packages/protocol/src/internal.ts'
import type * as html from '../../packages/renderer/src/html.ts'
import type * as inner from '../../packages/renderer/src/internal.ts'
import type * as innerHtml from '../../packages/renderer/src/internal-html.ts'
import type * as renderer from '../../packages/renderer/src/index.ts'
import type * as react from '../../packages/react/src/index.ts'
import type * as readers from '../../packages/renderer/src/readers.ts'
import type * as schemaCheck from '../../packages/schema-check/src/index.ts'
import type * as sure from '../../packages/schema-check/src/quick-check.ts'
import type * as written from '../../packages/schema-check/src/generated.ts'

/** An image of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const result: protocol.ToolResult = {
  content: [
    { type: 'text', text: 'Read 3 files.\u001B]0;a new title\u0007 <script>alert(1)</script>' },
    {
      type: 'resource',
      resource: { uri: 'file:///w/src/ä.rs', mimeType: 'text/rust', text: 'fn main() {} // ä€😀' },
    },
    { type: 'resource', resource: { uri: 'file:///w/a.bin', blob: 'AAECAw==' } },
    { type: 'image', data: PNG, mimeType: 'image/png' },
    { type: 'resource_link', uri: 'https://example.org/a.pdf', name: 'a.pdf' },
    { type: 'question', question: { id: 'q', text: 'Go on?', schema: { type: 'boolean' } } },
  ],
  structuredContent: {
    kind: 'diff',
    summary: 'Changed a.ts',
    data: { path: 'a.ts', original: 'const a = 1\n', modified: 'const a = 2\n' },
  },
  isError: false,
}

const call = { id: 'call-1', name: 'fs.read', arguments: { path: 'src' } }

const request: formatter.ModelRequest = {
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'What is in src?' }] },
    { role: 'assistant', content: [], calls: [call] },
    { role: 'tool', results: [{ call, result }] },
  ],
  tools: [{ name: 'fs.read', inputSchema: { type: 'object' } }],
}

const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A task for each entry. Its result is a value of JSON, the same on every platform. */
const TASKS = {
  '@toolblocks/media-type': ({
    languageForMimeType,
    languageForPath,
    mimeTypeForPath,
    sniffMimeType,
  }: typeof mediaType) => [
    ['a.rs', 'a.ts', 'Dockerfile.dev', 'a.png', 'a.docx', 'a.tgz', 'a.nothing'].map((path) => [
      mimeTypeForPath(path),
      languageForPath(path),
    ]),
    languageForMimeType('application/vnd.api+json'),
    sniffMimeType(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)),
  ],

  '@toolblocks/parser': ({
    parseContentBlock,
    parseToolDefinition,
    parseToolDescriptions,
    parseToolOutput,
    parseToolResult,
  }: typeof parser) => {
    const blocks = [
      ...result.content,
      { type: 'image', data: PNG },
      { type: 'image', data: PNG.replace(/.{20}/g, '$&\n').replace(/=+$/, ''), mimeType: 'a/b' },
      { type: 'image', data: '!', mimeType: 'image/png' },
      { type: 'hologram' },
      { type: 'resource_link', uri: `file:///${'ä'.repeat(9000)}`, name: 'long' },
    ]
    const document = JSON.stringify({ content: blocks, isError: false })
    const server = { content: blocks, isError: true, _meta: { a: { b: [1, -0, null] } } }
    return [
      parseToolOutput(document),
      parseToolOutput(toBytes(document)),
      parseToolOutput(toBytes('3 tests passed \uFFFD\n')),
      parseToolOutput(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff, 0x62)),
      parseToolOutput(Uint8Array.of(0xff, 0xfe, 0x61, 0x00)),
      parseToolOutput('ä€😀'.repeat(3_000_000)),
      parseToolResult(server, { from: 'mcp' }),
      parseToolResult(new Proxy(server, {}), { from: 'mcp' }),
      parseContentBlock(blocks[6]),
      parseToolDefinition({ name: 'a', inputSchema: { type: 'object' }, title: 1 }),
      parseToolDescriptions('{"name":"a","summary":"Reads."}'),
    ]
  },

  '@toolblocks/formatter': ({ codeFence, formatResult }: typeof formatter) => [
    formatResult(result, { resourceHeader: 'name', root: '/w' }),
    codeFence('```\nrm -rf /\n```', 'md'),
  ],
  '@toolblocks/formatter/anthropic': ({ toAnthropicRequest: toRequest }: typeof anthropic) =>
    toRequest(request),
  '@toolblocks/formatter/google': ({ toGoogleRequest: toRequest }: typeof google) =>
    toRequest(request),
  '@toolblocks/formatter/openai': ({
    toOpenAiChatRequest: toChatRequest,
    toOpenAiResponsesRequest: toResponsesRequest,
  }: typeof openai) => [toChatRequest(request), toResponsesRequest(request)],

  '@toolblocks/renderer': ({
    createTerminalStyle,
    renderTerminal,
    sanitizeTerminalText,
  }: typeof renderer) => {
    const style = createTerminalStyle('ansi')
    return [
      renderTerminal(result, { root: '/w', colors: 'ansi', columns: 80, links: 'osc8' }),
      renderTerminal({ ...result, isError: true }),
      sanitizeTerminalText('50 %\u001B[2J\r\ndone'),
      [style.bold('a'), style.dim('a'), style.red('\u001B[0m')],
    ]
  },
  '@toolblocks/renderer/internal': ({ summarizeResult }: typeof inner) => summarizeResult(result),
  '@toolblocks/renderer/internal/html': ({ renderGallery }: typeof innerHtml) =>
    renderGallery([{ title: 'One', result }]),
  '@toolblocks/renderer/html': ({ renderHtml, renderPage }: typeof html) => [
    renderHtml(result, { root: '/w' }),
    renderPage(renderHtml(result), { title: '<ä>', style: 'p{color:red}' }),
  ],
  '@toolblocks/react': ({ ToolResult }: typeof react) => {
    const { type, props } = ToolResult({ result })
    // Elements have further fields in some builds of React.
    const isOwn = (name: string): boolean => !/^(?:ref|key|_\w+)$/.test(name)
    return JSON.parse(
      JSON.stringify([type, props], (name, value) => (isOwn(name) ? value : undefined)),
    )
  },
  '@toolblocks/renderer/readers': async ({ loadContentReaders }: typeof readers) => {
    const { highlight, readMarkdown } = await loadContentReaders()
    return [
      highlight('const a = "b" // c', 'ts'),
      highlight('fn main() {}', 'rust'),
      readMarkdown('# A\n\n- [x] *b* `c` &amp;\n\n| a |\n|---|\n| 1 |\n'),
    ]
  },

  '@toolblocks/protocol': (api: typeof protocol) => [
    api.canonicalUri('./src/%61.rs', '/w', { platform: 'posix' }),
    api.toWorkspacePath('file:///w/src/a.rs', '/w'),
    [api.isToolResult(result), api.isToolResult({ content: [{ type: 'text' }] })],
    api.createErrorResult('No.'),
    api.descriptionToDefinition({ name: 'a', summary: 'Reads.' }),
  ],
  '@toolblocks/protocol/internal': (api: typeof internal) => [
    api.findQuestions(result),
    api.createQuotingBlocks('The server says:', 'no'),
    [api.escapeUnprintable('{"a":"\u202E"}'), api.scanJson('[1,[2]]'), api.splitPointer('/a~1b/0')],
    api.withinGrace(async () => 1, { signal: AbortSignal.abort(), ms: 1000, whenLate: () => 2 }),
    api.withOriginalWireFields({ type: 'text' }, { id: '1' }),
    api.fillDefaults({}, { type: 'object', properties: { a: { type: 'number', default: 1 } } }),
    [...api.decodeBase64(PNG)],
    [api.getBase64ByteLength(PNG), api.countBytes('aä€😀\ud83d'.repeat(9000))],
  ],

  '@toolblocks/schema-check': ({ canonicalJson, compileSchema }: typeof schemaCheck) => {
    const check = (schema: protocol.JsonSchema, value: unknown): unknown => {
      const compiled = compileSchema(schema)
      return compiled.ok ? compiled.check(value) : compiled
    }
    const person = {
      type: 'object',
      properties: {
        mail: { type: 'string', format: 'email' },
        name: { type: 'string', pattern: '^\\p{Lu}\\w+$', minLength: 2 },
        at: { $ref: '#/$defs/at' },
      },
      required: ['name'],
      additionalProperties: false,
      $defs: { at: { type: 'string', format: 'date-time' } },
    }
    return [
      check(person, { name: 'Ada', mail: 'ada@example.org', at: '2026-01-02T03:04:05Z' }),
      check(person, { name: 'a😀', mail: 'ada', at: 'now', more: 1 }),
      check({ $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'null' }] }, [1]),
      check({ pattern: '^(?=(a+)+$)' }, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'),
      check({ type: 'wrong' }, 1),
      canonicalJson({ b: [1, 1e21, 'ä'], a: { d: null, c: true } }),
    ]
  },
  '@toolblocks/schema-check/internal/quick-check': ({
    isDefinitelyValid: isSurelyValid,
  }: typeof sure) => [
    isSurelyValid({ a: 1 }, { type: 'object', properties: { a: { type: 'integer' } } }),
    isSurelyValid({ a: 'b' }, { type: 'object', properties: { a: { type: 'integer' } } }),
  ],
  '@toolblocks/schema-check/internal/generated': ({
    codePointLength,
    findEqualItems: findSameItems,
    wrapValidator: useValidator,
  }: typeof written) => [
    useValidator(((value: unknown) => value === 1) as written.ValidateFunction)(1),
    [codePointLength('a😀'), findSameItems([1, 2, 1])],
  ],

  '@toolblocks/inquiry': async ({ createAnswerPort, runInquiry }: typeof inquiry) => {
    const asked: unknown[] = []
    const user: protocol.AnswerQuestion = async ({ id, text, schema }, { blocks, problems }) => {
      asked.push([id, text, schema, blocks, problems])
      return { action: 'accept', value: asked.length === 1 ? 'perhaps' : true }
    }
    const tool: protocol.Tool = {
      name: 'remove_notes',
      inputSchema: { type: 'object' },
      execute: async (_call, { answers }) => ({
        content:
          answers['confirm'] === true
            ? [{ type: 'text', text: 'Removed.' }]
            : [
                { type: 'text', text: 'notes.txt has 12 lines.' },
                {
                  type: 'question',
                  question: { id: 'confirm', text: 'Remove it?', schema: { type: 'boolean' } },
                },
              ],
        isError: false,
      }),
    }
    const { signal } = new AbortController()
    const context = { signal, root: '/w', ask: { user } }
    const port = createAnswerPort({
      ports: { user },
      routes: {},
      callId: 'c',
      record: async (event) => void asked.push(event.type),
      warn: (problem) => void asked.push(problem),
    })
    return [
      await runInquiry(tool, { ...call, name: tool.name }, { context }),
      await port(
        { id: 'q', text: 'Go on?', schema: { type: 'boolean' } },
        { blocks: [], signal, source: { kind: 'question', call } },
      ),
      asked,
    ]
  },
  '@toolblocks/inquiry/model': async ({ createModelAnswers }: typeof model) => {
    const asked: unknown[] = []
    const answer = createModelAnswers({
      model: async (question) => {
        asked.push(question)
        return { answer: asked.length === 1 ? 'three' : 3 }
      },
      formatBlocks: (blocks) => JSON.stringify(blocks) as protocol.ModelText,
    })
    const { signal } = new AbortController()
    const question = { id: 'n', text: 'How many?', schema: { type: 'integer' } }
    return [
      await answer(question, { blocks: [], signal, source: { kind: 'question', call } }),
      asked,
    ]
  },
}

/** The name of an entry with a task. */
export type Entry = keyof typeof TASKS

/** The names of all entries with a task. */
export const ENTRIES: readonly string[] = Object.keys(TASKS)

/** Runs the task of an entry with the entry's exports, and returns the result as JSON. */
export async function doTask(entry: Entry, exported: unknown): Promise<string> {
  const task = TASKS[entry] as (api: unknown) => unknown
  return JSON.stringify(await task(exported))
}
