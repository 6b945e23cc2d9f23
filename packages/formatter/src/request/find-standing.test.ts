import type { ContentBlock, Delivery, ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { ModelMessage } from '../model/model-request.ts'
import { anthropicProfile, openaiCompatibleProfile } from '../model/profiles.ts'
import { PNG } from '../testing/every-kind.suite.ts'
import { findStanding } from './find-standing.ts'

const uri = 'file:///a'
const sha256 = 'a'.repeat(64)

/** As recorded before a delivery said how it was given, and where a reference points. */
function older(id: string, form: Delivery['form'], block: ContentBlock): ModelMessage {
  const call = { id, name: 'read' }
  const result: ToolResult = { id, content: [block], isError: false }
  return {
    role: 'tool',
    results: [{ call, result, deliveries: [{ callId: id, block: 0, uri, sha256, turn: 1, form }] }],
  }
}

const text: ContentBlock = { type: 'resource', resource: { uri, text: 'words' } }
const picture: ContentBlock = {
  type: 'resource',
  resource: { uri, blob: PNG, mimeType: 'image/png' },
}

function found(messages: readonly ModelMessage[], profile = anthropicProfile) {
  const { deliveries, broken } = findStanding(messages, profile)
  return {
    full: deliveries.map(({ callId, as }) => `${callId} ${as}`),
    broken: [...broken.values()].map((blocks) => [...blocks]),
  }
}

test('an older record is read by its blocks: how it was given, and whether it was', () => {
  const both = (block: ContentBlock) => [
    older('c1', 'full', block),
    older('c2', 'reference', structuredClone(block)),
  ]
  expect(found(both(text))).toEqual({ full: ['c1 text'], broken: [] })
  expect(found(both(picture))).toEqual({ full: ['c1 media'], broken: [] })
  expect(found(both(picture), openaiCompatibleProfile)).toEqual({ full: [], broken: [[0]] })
  const forPerson = { ...text, annotations: { audience: ['user' as const] } }
  expect(found(both(forPerson))).toEqual({ full: [], broken: [[0]] })
})

test('without a profile no media count, and a reference to what is not there is broken', () => {
  const given = [older('c1', 'full', picture), older('c2', 'full', text)]
  const { deliveries } = findStanding(given, undefined)
  expect(deliveries.map(({ callId }) => callId)).toEqual(['c2'])
  expect(found([older('c2', 'reference', text)])).toEqual({ full: [], broken: [[0]] })
  expect(
    found([older('c1', 'cut', text), older('c2', 'reference', structuredClone(text))]),
  ).toEqual({ full: [], broken: [[0]] })
})

test('what a request has no room for is not given, also where its words are', () => {
  const formatted: ContentBlock = { ...picture, formatted: '1: words' }
  const crowding = { ...anthropicProfile, inRequest: { maxItems: 1 } }
  for (const block of [picture, formatted]) {
    const given = [older('c1', 'full', block), older('c2', 'full', structuredClone(block))]
    const way = block === picture ? 'media' : 'formatted-and-media'
    expect(found(given).full).toEqual([`c1 ${way}`, `c2 ${way}`])
    expect(found(given, crowding).full).toEqual([`c2 ${way}`])
  }
})
