import { createHash } from 'node:crypto'
import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { anthropicProfile, openaiCompatibleProfile } from '../model/profiles.ts'
import { PNG } from '../testing/every-kind.suite.ts'
import { createDeliveryLedger } from './delivery-ledger.ts'
import { deliverMessage, deliverResult, type DeliverOptions } from './deliver-result.ts'

const long = 'fn main() {}\n'.repeat(40)
const uri = 'file:///a'
const sha256Of = (value: string) => createHash('sha256').update(value).digest('hex')

interface Kind {
  text?: string
  blob?: string
  mimeType?: string
  formatted?: string
  audience?: ['user']
}

function blockOf({ text, blob, mimeType, formatted, audience }: Kind): ContentBlock {
  const type = mimeType === undefined ? {} : { mimeType }
  return {
    type: 'resource',
    resource: blob === undefined ? { uri, text: text ?? long, ...type } : { uri, blob, ...type },
    ...(formatted !== undefined && { formatted }),
    ...(audience && { annotations: { audience } }),
  }
}

function identityOf({ text = long, blob, formatted }: Kind) {
  return {
    uri,
    sha256: sha256Of(blob ?? text),
    bytes: 400,
    ...(formatted !== undefined && { formatted: sha256Of(formatted) }),
  }
}

function read(id: string, kinds: readonly Kind[]): ToolResult {
  const resources = kinds.map(identityOf)
  return { id, content: kinds.map(blockOf), isError: false, metadata: { resources } }
}

const picture = { blob: PNG, mimeType: 'image/png' }

function twice(
  first: readonly Kind[],
  second: readonly Kind[],
  { before, after }: { before?: Partial<DeliverOptions>; after?: Partial<DeliverOptions> } = {},
) {
  const { deliveries } = deliverResult(read('c1', first), createDeliveryLedger([]), {
    turn: 1,
    ...before,
  })
  return deliverResult(read('c2', second), createDeliveryLedger(deliveries), { turn: 2, ...after })
}

const POINTS = /has not changed since/

describe('nothing is pointed to', () => {
  test.for<[string, Kind, Kind, Parameters<typeof twice>[2]?]>([
    ['that was for the person only', { audience: ['user'] }, {}],
    ['of bytes that were named in one line', picture, picture],
    [
      'of bytes that the model does not take',
      picture,
      picture,
      { before: { profile: openaiCompatibleProfile }, after: { profile: openaiCompatibleProfile } },
    ],
    [
      'of bytes that the model before took, where this one does not',
      picture,
      picture,
      { before: { profile: anthropicProfile }, after: { profile: openaiCompatibleProfile } },
    ],
    ['that was given through other formatted text', { formatted: '1: a' }, { formatted: '2: a' }],
    ['that was given through formatted text, where it has none now', { formatted: '1: a' }, {}],
    ['that was given as it is, where it is formatted now', {}, { formatted: '1: a' }],
    [
      'of bytes that were given with other formatted text',
      { ...picture, formatted: '1: a' },
      { ...picture, formatted: '2: a' },
      { before: { profile: anthropicProfile }, after: { profile: anthropicProfile } },
    ],
    [
      'of bytes alone, which were given with formatted text before',
      { ...picture, formatted: '1: a' },
      picture,
      { before: { profile: anthropicProfile }, after: { profile: anthropicProfile } },
    ],
    [
      'of formatted bytes, where nobody knows what the model takes',
      { ...picture, formatted: '1: a' },
      { ...picture, formatted: '1: a' },
    ],
    ['that was cut', {}, {}, { before: { budget: 200 } }],
  ])('%s', ([, first, second, options]) => {
    const { text, deliveries } = twice([first], [second], options)
    expect(text).not.toMatch(POINTS)
    expect(deliveries.filter(({ form }) => form === 'reference')).toEqual([])
  })

  test('within one result whose first of the same is cut', () => {
    const result = read('c1', [{}, {}])
    const { text, deliveries } = deliverResult(result, createDeliveryLedger([]), {
      turn: 1,
      budget: 300,
    })
    expect(text).not.toMatch(POINTS)
    expect(deliveries.map(({ form }) => form)).toEqual(['cut', 'cut'])
  })
})

describe('it is pointed to', () => {
  test.for<[string, Kind, Parameters<typeof twice>[2]?]>([
    ['text that was given', {}],
    ['the same text, given with the same formatted text', { formatted: '1: a' }],
    [
      'media that the model takes',
      picture,
      { before: { profile: anthropicProfile }, after: { profile: anthropicProfile } },
    ],
    [
      'media that the model takes, given with the same formatted text',
      { ...picture, formatted: '1: a' },
      { before: { profile: anthropicProfile }, after: { profile: anthropicProfile } },
    ],
  ])('%s', ([, kind, options]) => {
    expect(twice([kind], [kind], options).text).toMatch(POINTS)
  })
})

test('a reference is not cut, however small the budget: it says where all of it stands', () => {
  const { text, deliveries } = twice([{}], [{}], { after: { budget: 10 } })
  expect(text).toMatch(/^\[file:\/\/\/a has not changed since [^]*\]$/)
  expect(deliveries.map(({ form }) => form)).toEqual(['reference'])
})

test('a record that does not say how a resource was given is pointed to by nothing', () => {
  const older = { callId: 'c1', block: 0, turn: 1, form: 'full', uri, sha256: sha256Of(long) }
  const ledger = createDeliveryLedger([older as { form: 'full' } & typeof older])
  expect(deliverResult(read('c2', [{}]), ledger, { turn: 2 }).text).not.toMatch(POINTS)
})

test('of what comes with a message, text and the media that the model takes there count', () => {
  const kinds: Kind[] = [{}, picture, { audience: ['user'] }, { formatted: '1: a' }]
  const given = (options: Partial<DeliverOptions>) =>
    deliverMessage(kinds.map(blockOf), kinds.map(identityOf), { turn: 3, ...options }).map(
      ({ block, as }) => [block, as],
    )
  expect(given({})).toEqual([
    [0, 'text'],
    [3, 'formatted'],
  ])
  expect(given({ profile: anthropicProfile })).toEqual([
    [0, 'text'],
    [1, 'media'],
    [3, 'formatted'],
  ])
})
