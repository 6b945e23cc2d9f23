import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  HOST_PROFILES,
  type HostLoss,
  type HostProfile,
  findHostProfile,
  findResultsProfile,
} from './host-profile.ts'
import { adaptDefinition, adaptResult } from './adapt-to-host.ts'

const text = (value: string): ContentBlock => ({ type: 'text', text: value })

function losing(...losses: readonly HostLoss[]): HostProfile {
  return { name: 'h', losses, measured: { version: '1', date: '2026-01-01' } }
}

function result(content: readonly ContentBlock[], more: Partial<ToolResult> = {}): ToolResult {
  return { content, isError: false, ...more }
}

const PICTURE: ContentBlock = {
  type: 'image',
  data: 'iVBORw0KGgoAAAANSUhEUg==',
  mimeType: 'image/png',
}
const FILE: ContentBlock = {
  type: 'resource',
  resource: { uri: 'demo://a.pdf', mimeType: 'application/pdf', blob: 'JVBERi0xLjQ=' },
}

test('structured content becomes a text after the content, for a host that shows only one of them', () => {
  const mixed = result([text('a'), PICTURE], { structuredContent: { value: 1 } })
  expect(adaptResult(mixed, losing('structure-or-content'))).toEqual({
    content: [text('a'), PICTURE, text('{"value":1}')],
    isError: false,
  })
})

test('structured content becomes a text and stays, for a host whose model gets only content', () => {
  const structuredContent = { value: 1 }
  const mixed = result([text('a')], { structuredContent })
  expect(adaptResult(mixed, losing('structure'))).toEqual(
    result([text('a'), text('{"value":1}')], { structuredContent }),
  )
  const repeated = result([text('{ "value": 1 }')], { structuredContent })
  expect(adaptResult(repeated, losing('structure'))).toEqual(repeated)
})

test('structured content that the content says already is only left out', () => {
  const repeated = result([text('{ "value": 1 }')], { structuredContent: { value: 1 } })
  expect(adaptResult(repeated, losing('structure-or-content'))).toEqual(
    result([text('{ "value": 1 }')]),
  )
})

test('bytes of a block are not repeated in the text of the structure', () => {
  const { data } = PICTURE as { data: string }
  const doubled = result([PICTURE], { structuredContent: { picture: data } })
  expect(adaptResult(doubled, losing('structure-or-content')).content.at(-1)).toEqual(
    text('{"picture":"[image/png, 16 bytes, in the content]"}'),
  )
})

test('what is only for the user is left out; what is for both or for nobody in particular stays', () => {
  const forUser: ContentBlock = { ...text('u'), annotations: { audience: ['user'] } }
  const forBoth: ContentBlock = { ...text('b'), annotations: { audience: ['user', 'assistant'] } }
  const forNobody: ContentBlock = { ...text('n'), annotations: { audience: [] } }
  const mixed = result([forUser, forBoth, forNobody, text('t')])
  expect(adaptResult(mixed, losing('audience')).content).toEqual([forBoth, forNobody, text('t')])
  expect(adaptResult(mixed, losing('links'))).toEqual(mixed)
})

test('a link becomes a text with its address, and a file gets one before it', () => {
  const link: ContentBlock = {
    type: 'resource_link',
    uri: 'demo://b',
    name: 'b',
    mimeType: 'text/plain',
  }
  const mixed = result([link, FILE])
  expect(adaptResult(mixed, losing('links', 'file-addresses')).content).toEqual([
    text('Link: b <demo://b> (text/plain)'),
    text('File: demo://a.pdf (application/pdf, 8 bytes)'),
    FILE,
  ])
})

test('an embedded file of text becomes its address and its text, for a host that drops it', () => {
  const file: ContentBlock = {
    type: 'resource',
    resource: { uri: 'demo://a.txt', mimeType: 'text/plain', text: 'line 1\nline 2' },
  }
  expect(adaptResult(result([file, FILE]), losing('text-files')).content).toEqual([
    text('File: demo://a.txt (text/plain)'),
    text('line 1\nline 2'),
    FILE,
  ])
})

test('an error says that it is one, for a host that does not', () => {
  const failed = result([text('no')], { isError: true })
  expect(adaptResult(failed, losing('errors')).content).toEqual([
    text('The tool reported an error:'),
    text('no'),
  ])
  expect(adaptResult(result([text('yes')]), losing('errors')).content).toEqual([text('yes')])
})

test('a semantic value stays with the person if the content says what a model needs', () => {
  const semantic = { kind: 'git.status', data: { secret: 'for people' }, summary: '1 staged' }
  const both = result([text('1 staged')], { structuredContent: semantic })
  expect(adaptResult(both, losing('structure-or-content')).content).toEqual([text('1 staged')])
  const alone = result([PICTURE], { structuredContent: semantic })
  expect(adaptResult(alone, losing('structure-or-content')).content).toEqual([
    PICTURE,
    text(JSON.stringify(semantic)),
  ])
})

test('the structured content of a tool with a page of its own stays as it is', () => {
  const withPage = { name: 'a', inputSchema: {}, _meta: { ui: { resourceUri: 'ui://a' } } }
  const info = { name: 'claude-code' }
  expect(findHostProfile(info, withPage)?.losses).toEqual(['audience'])
  expect(findHostProfile(info, { name: 'a', inputSchema: {} })).toEqual(findHostProfile(info))
})

test('an error without a text for the model says so', () => {
  const forUser: ContentBlock = { ...text('u'), annotations: { audience: ['user'] } }
  const failed = adaptResult(result([forUser], { isError: true }), losing('audience'))
  expect(failed.content).toEqual([
    { type: 'text', text: expect.stringContaining('no text for you') },
  ])
})

test('a server writes no lines of its own into the names of links', () => {
  const link: ContentBlock = {
    type: 'resource_link',
    uri: 'demo://a\nb',
    name: 'n\u001b[2J\nLink: x',
  }
  const [named] = adaptResult(result([link]), losing('links')).content
  expect(named).toEqual(text('Link: n [2J Link: x <demo://a b>'))
  const long: ContentBlock = { type: 'resource_link', uri: `demo://${'a'.repeat(5000)}`, name: 'n' }
  const [cut] = adaptResult(result([long]), losing('links')).content
  expect(cut?.type === 'text' && cut.text.length).toBe(2001)
})

test('texts begin on new lines, for a host that joins them', () => {
  expect(
    adaptResult(result([text('a'), text('b'), PICTURE, text('c')]), losing('ends-of-texts'))
      .content,
  ).toEqual([text('a'), text('\nb'), PICTURE, text('c')])
})

test('a definition promises no structured content that its results do not have', () => {
  const definition = {
    name: 'a',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
  }
  expect(adaptDefinition(definition, losing('structure-or-content'))).toEqual({
    name: 'a',
    inputSchema: { type: 'object' },
  })
  expect(adaptDefinition(definition, losing('audience'))).toBe(definition)
  expect(adaptDefinition(definition, losing('structure'))).toBe(definition)
})

test('law: every text for the model and every other block stays, in its order, for every host', () => {
  const block = fc.oneof(
    fc.string().map(text),
    fc.constantFrom(PICTURE, FILE),
    fc
      .string()
      .map((value): ContentBlock => ({ ...text(value), annotations: { audience: ['user'] } })),
  )
  fc.assert(
    fc.property(
      fc.array(block),
      fc.option(fc.dictionary(fc.string(), fc.string()), { nil: undefined }),
      fc.constantFrom(...HOST_PROFILES),
      (content, structuredContent, profile) => {
        const adapted = adaptResult(
          result(content, structuredContent && { structuredContent }),
          profile,
        )
        expect(adapted.structuredContent).toEqual(
          profile.losses.includes('structure-or-content') ? undefined : structuredContent,
        )
        const kept = content.filter(({ annotations }) => annotations === undefined)
        let from = 0
        for (const each of kept) {
          const index = adapted.content.findIndex(
            (other, position) =>
              position >= from &&
              (each.type === 'text'
                ? other.type === 'text' &&
                  other.text.replace(/^\n/, '').endsWith(each.text.replace(/^\n/, ''))
                : other === each),
          )
          expect(index).not.toBe(-1)
          from = index + 1
        }
      },
    ),
  )
})

test('a host is known by the name that it says of itself', () => {
  expect(findHostProfile({ name: 'codex-mcp-client', version: '9.0.0' })?.losses).toContain(
    'errors',
  )
  expect(findHostProfile({ name: 'something else' })).toBeUndefined()
  expect(findHostProfile(undefined)).toBeUndefined()
  expect(findHostProfile({ name: 1 })).toBeUndefined()
})

test('a host that adds the name of the server to its own is known, and no other name is a beginning', () => {
  expect(findHostProfile({ name: 'qwen-cli-mcp-client-notes' })?.name).toBe('qwen-cli-mcp-client')
  expect(findHostProfile({ name: 'qwen-cli-mcp-clients' })).toBeUndefined()
  expect(findHostProfile({ name: 'opencode-notes' })).toBeUndefined()
})

test('the form of results is that of the client, that of the profile which is passed, or none', () => {
  const info = { name: 'codex-mcp-client' }
  const passed = losing('structure', 'audience')
  const withPage = { name: 'a', inputSchema: {}, _meta: { ui: { resourceUri: 'ui://a' } } }
  expect(findResultsProfile('host', info)).toEqual(findHostProfile(info))
  expect(findResultsProfile(passed, info)).toBe(passed)
  expect(findResultsProfile(passed, info, withPage)?.losses).toEqual(['audience'])
  expect(findResultsProfile('as-is', info)).toBeUndefined()
  expect(findResultsProfile(undefined, info)).toBeUndefined()
})
