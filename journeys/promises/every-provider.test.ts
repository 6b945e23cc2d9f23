import { expect, test } from 'vitest'
import { visit } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import {
  hasResults,
  getLastMessage,
  startProvider,
  type ProviderResponse,
} from '../stage/provider.ts'

const TOOLS = `${tool('one', ['echo', 'first'])}${tool('two', ['echo', 'second'])}
[tools.delete]
source = "local"
command = ["echo", "deleted"]
parameters = { path = { type = "string" } }
`

/** The calls for each message of the user. */
const CALLS: Readonly<Record<string, ProviderResponse['calls']>> = {
  both: [
    ['one', {}],
    ['two', {}],
  ],
  delete: [
    ['delete', { path: 'notes.txt' }],
    ['delete', { path: 'other.txt' }],
  ],
  odd: [
    ['one', '{"path":'],
    ['invented', {}],
    ['two', {}],
  ],
}

test.for(['anthropic', 'openai', 'google'] as const)(
  'promise providers: a chat through the client of %s, with a retry, concurrent tools, a refusal, and calls that are malformed or name no tool',
  async (name) => {
    let isBusy = true
    const { url, requestMessages: asked } = await startProvider((messages) => {
      const message = getLastMessage(messages)
      if (isBusy) {
        isBusy = false
        return { status: 429 }
      }
      if (hasResults(messages)) return { text: `After ${message}: done.` }
      return { text: `You said ${message}.`, calls: CALLS[message] ?? [] }
    }, name)
    const model = `[model]\nprovider = "${name}"\nname = "m"\nbase_url = "${url}"\napi_key_env = "SOME_KEY"\n`
    const folder = makeFolder({ 'toolblocks.toml': model + TOOLS })
    const { code, written } = await visit(
      folder,
      ['chat'],
      [
        [/new conversation[^]*› /, 'hello\r'],
        [/not now \(HTTP 429\)[^]*You said hello\.[^]*› /, 'both\r'],
        [/You said both\.[^]*first[^]*second[^]*After both: done\.[^]*› /, 'delete\r'],
        [/notes\.txt[^]*Run delete\?[^]*No/, '\r'],
        [/other\.txt[^]*Run delete\?[^]*No/, '\r'],
        [/denied[^]*denied[^]*After delete: done\.[^]*› /, 'odd\r'],
        [/Invalid arguments[^]*no tool "invented"[^]*second[^]*After odd: done\.[^]*› /, '\u0004'],
      ],
      { environment: { SOME_KEY: 'k' } },
    )
    expect(code).toBe(0)
    expect(written).toContain('{"path":')
    expect(asked).toHaveLength(8)
    const last = asked.at(-1) ?? []
    const getContents = (role: string) =>
      last.filter((each) => each.role === role).map(({ content }) => content)
    expect(getContents('user')).toEqual(['hello', 'both', 'delete', 'odd'])
    expect(getContents('call')).toEqual([
      'one',
      'two',
      'delete',
      'delete',
      'one',
      'invented',
      'two',
    ])
    expect(getContents('tool')).toEqual(
      [
        'first',
        'second',
        'was denied',
        'was denied',
        'Expected an object',
        'no tool',
        'second',
      ].map((part) => expect.stringContaining(part)),
    )
  },
)
