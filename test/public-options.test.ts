import { expect, test } from 'vitest'
import * as aiSdk from '../packages/ai-sdk/src/index.ts'
import * as importing from '../packages/session-import/src/index.ts'
import * as store from '../packages/conversation-store/src/index.ts'
import * as scrub from '../packages/conversation-store/src/scrub.ts'
import * as anthropic from '../packages/formatter/src/anthropic.ts'
import * as google from '../packages/formatter/src/google.ts'
import * as formatter from '../packages/formatter/src/index.ts'
import * as openai from '../packages/formatter/src/openai.ts'
import * as request from '../packages/formatter/src/internal.ts'
import * as pending from '../packages/inquiry/src/pending.ts'
import * as terminal from '../packages/inquiry/src/terminal.ts'
import * as local from '../packages/local-executor/src/index.ts'
import * as pty from '../packages/local-executor/src/pty.ts'
import * as parser from '../packages/parser/src/index.ts'
import * as protocol from '../packages/protocol/src/index.ts'
import * as html from '../packages/renderer/src/html.ts'
import * as innerHtml from '../packages/renderer/src/internal-html.ts'
import * as images from '../packages/renderer/src/images.ts'
import * as inner from '../packages/renderer/src/internal.ts'
import * as renderer from '../packages/renderer/src/index.ts'
import * as executor from '../packages/tool-executor/src/index.ts'
import * as viewer from '../packages/viewer/src/index.ts'

type Call = (...args: readonly unknown[]) => unknown

const RESULT = { content: [], isError: false }
const MESSAGES = { messages: [], tools: [] }
const PROFILE = anthropic.anthropicProfile
const LEDGER = formatter.createDeliveryLedger([])
const TOOLS = { tools: [] }
const TOOL = { name: 'count', inputSchema: { type: 'object' }, command: ['count'] }
const DOCUMENTS = { storage: {} }
const STORE = { read: () => {}, documents: {} }
const FORMAT = ['structured', 'resourceHeader']
const SHOW = ['hiddenValues', 'stderr', 'tallValues', 'collapsedValues']
const RENDER = [...SHOW, 'colors', 'links']
const PAGE = ['hiddenValues', 'stderr', 'collapsedValues', 'diffs', 'media', 'tallText']

/** Each public function with options that are words: how it is called with options, their name, and which of them are words. */
const TABLE: readonly (readonly [
  name: string,
  call: (options: object) => unknown,
  argument: string,
  words: readonly string[],
])[] = [
  [
    'toAiSdkTools',
    (options) => give(aiSdk.toAiSdkTools)({ execute }, options),
    'options',
    ['preliminaryResults'],
  ],
  ['openStore', (options) => give(store.openStore)('memory:', options), 'options', ['durability']],
  [
    'createReadToolResult',
    (options) => give(store.createReadToolResult)(STORE, 'c', options),
    'options',
    ['semantic'],
  ],
  [
    'readConversations',
    (options) => give(importing.readConversations)({ head: {} }, options),
    'options',
    ['from'],
  ],
  [
    'createScrubber',
    ({ letterCase }: { letterCase?: unknown }) => give(scrub.createScrubber)('secret', letterCase),
    '',
    ['letterCase'],
  ],
  ['formatResult', (options) => give(formatter.formatResult)(RESULT, options), 'options', FORMAT],
  ['formatBlocks', (options) => give(formatter.formatBlocks)([], options), 'options', FORMAT],
  ['formatWithin', (options) => give(request.formatWithin)(RESULT, options), 'format', FORMAT],
  [
    'deliverResult',
    (options) => give(formatter.deliverResult)(RESULT, LEDGER, { turn: 1, ...options }),
    'options',
    FORMAT,
  ],
  [
    'toModelParts',
    (options) => give(request.toModelParts)(RESULT, PROFILE, options),
    'options',
    FORMAT,
  ],
  [
    'readRequest',
    (options) => give(request.readRequest)(MESSAGES, PROFILE, options),
    'options',
    FORMAT,
  ],
  [
    'toAnthropicRequest',
    (options) => give(anthropic.toAnthropicRequest)(MESSAGES, options),
    'options',
    FORMAT,
  ],
  [
    'toGoogleRequest',
    (options) => give(google.toGoogleRequest)(MESSAGES, options),
    'options',
    FORMAT,
  ],
  [
    'toOpenAiChatRequest',
    (options) => give(openai.toOpenAiChatRequest)(MESSAGES, options),
    'options',
    FORMAT,
  ],
  [
    'toOpenAiResponsesRequest',
    (options) => give(openai.toOpenAiResponsesRequest)(MESSAGES, options),
    'options',
    FORMAT,
  ],
  [
    'chooseAtTerminal',
    (options) => give(terminal.chooseAtTerminal)(options),
    'options',
    ['layout'],
  ],
  [
    'createTerminalAnswers',
    (options) => give(terminal.createTerminalAnswers)(options),
    'options',
    ['forms'],
  ],
  [
    'listPendingQuestions',
    (options) => give(pending.listPendingQuestions)(options, DOCUMENTS),
    'request',
    ['state'],
  ],
  [
    'createPendingPorts',
    (waiting) =>
      give(pending.createPendingPorts)({ pending: {}, people: {}, earlier: [], waiting }),
    'asking.waiting',
    ['whenUnanswered'],
  ],
  [
    'createLocalTool',
    (options) => give(local.createLocalTool)({ ...TOOL, ...options }),
    'definition',
    ['leftoverProcesses', 'dialect'],
  ],
  ['createLocalTool', (options) => give(local.createLocalTool)(TOOL, options), 'options', ['read']],
  [
    'createPtyTool',
    (options) => give(pty.createPtyTool)({ ...TOOL, ...options }),
    'definition',
    ['leftoverProcesses', 'dialect'],
  ],
  ['createPtyTool', (options) => give(pty.createPtyTool)(TOOL, options), 'options', ['read']],
  [
    'describeExecutable',
    (options) => give(local.describeExecutable)(['count'], options),
    'options',
    ['read'],
  ],
  [
    'startProgram',
    (options) => give(local.startProgram)({ program: 'count', ...options }),
    'plan',
    ['inherits', 'streams'],
  ],
  [
    'parseContentBlock',
    (options) => give(parser.parseContentBlock)({}, options),
    'options',
    ['from'],
  ],
  [
    'parseToolOutput',
    (options) => give(parser.parseToolOutput)('', options),
    'options',
    ['dialect'],
  ],
  ['parseToolResult', (options) => give(parser.parseToolResult)({}, options), 'options', ['from']],
  [
    'canonicalUri',
    (options) => give(protocol.canonicalUri)('file:///a', '/w', options),
    'options',
    ['platform'],
  ],
  [
    'toWorkspacePath',
    (options) => give(protocol.toWorkspacePath)('file:///a', '/w', options),
    'options',
    ['platform'],
  ],
  [
    'createFailure',
    ({ outcome }: { outcome?: unknown }) => give(protocol.createFailure)('x', outcome),
    '',
    ['outcome'],
  ],
  [
    'createTerminalStyle',
    ({ colors }: { colors?: unknown }) => give(renderer.createTerminalStyle)(colors),
    '',
    ['colors'],
  ],
  [
    'sanitizeTerminalText',
    (options) => give(renderer.sanitizeTerminalText)('', options),
    'options',
    ['colors'],
  ],
  [
    'createTerminalSanitizer',
    (options) => give(renderer.createTerminalSanitizer)(options),
    'options',
    ['colors'],
  ],
  ['showResult', (options) => give(renderer.showResult)(RESULT, options), 'options', SHOW],
  ['showBlocks', (options) => give(inner.showBlocks)([], options), 'options', SHOW],
  [
    'findShownBlocks',
    (options) => give(inner.findShownBlocks)(RESULT, options),
    'options',
    ['hiddenValues'],
  ],
  [
    'findRequiredReaders',
    (options) => give(renderer.findRequiredReaders)([], options),
    'options',
    SHOW,
  ],
  [
    'renderTerminal',
    (options) => give(renderer.renderTerminal)(RESULT, options),
    'options',
    RENDER,
  ],
  [
    'renderTerminalParts',
    (options) => give(renderer.renderTerminalParts)(RESULT, options),
    'options',
    RENDER,
  ],
  [
    'renderTerminalBlocks',
    (options) => give(renderer.renderTerminalBlocks)([], options),
    'options',
    RENDER,
  ],
  [
    'renderArguments',
    (options) => give(renderer.renderArguments)({}, options),
    'options',
    ['colors'],
  ],
  ['renderHtml', (options) => give(html.renderHtml)(RESULT, options), 'options', PAGE],
  ['renderHtmlBlocks', (options) => give(innerHtml.renderHtmlBlocks)([], options), 'options', PAGE],
  [
    'createImageWriter',
    ({ protocol: named }: { protocol?: unknown }) => give(images.createImageWriter)(named),
    '',
    ['protocol'],
  ],
  [
    'createToolExecutor',
    (options) => give(executor.createToolExecutor)({ ...TOOLS, ...options }),
    'options',
    ['askPeople', 'foundTools', 'receivedText', 'liveSchema'],
  ],
  [
    'createViewer',
    (options) => give(viewer.createViewer)({ store: STORE, options: {}, ...options }),
    'viewer',
    ['growth', 'theme'],
  ],
  [
    'guardPages',
    (options) => give(viewer.guardPages)(() => {}, { port: () => 1, ...options }),
    'options',
    ['answers'],
  ],
]

test.for(
  TABLE.flatMap(([name, call, argument, optionWords]) =>
    optionWords.map((word) => ({ name, call, argument, word })),
  ),
)(
  '$name refuses a word that $argument $word does not have',
  async ({ name, call, argument, word }) => {
    const path = argument === '' ? word : `${argument}.${word}`
    const calling = (async () => call({ [word]: 'foo' }))()
    await expect(calling).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringMatching(
        new RegExp(
          String.raw`^${name}\([^)]*\): ${path.replaceAll('.', String.raw`\.`)}: expected "[^]*", got string "foo"$`,
        ),
      ) as string,
    })
  },
)

test('options that are no object are refused, and those that are absent are not', () => {
  const format = give(formatter.formatResult)
  expect(() => format(RESULT, null)).toThrow(
    'formatResult(result, options): options: expected an object, got null',
  )
  expect(() => format(RESULT, { structured: undefined })).not.toThrow()
})

function execute(): void {}

/** A function that is called with wrong arguments. */
function give(call: unknown): Call {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the arguments are wrong on purpose
  return call as Call
}
