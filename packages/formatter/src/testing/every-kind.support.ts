import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import type { ResultForModel } from '../model/model-request.ts'
import { createDeliveryLedger } from '../deliver/delivery-ledger.ts'
import { deliverResult } from '../deliver/deliver-result.ts'
import { anthropicProfile } from '../model/profiles.ts'

/** A picture of one pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const WAV = Buffer.from('RIFF\u0024\0\0\0WAVEfmt ').toString('base64')
export const PDF = Buffer.from('%PDF-1.7\n').toString('base64')

/** A picture whose first bytes give this width and height. */
export function getPng(width: number, height: number): string {
  const bytes = Buffer.from(PNG, 'base64')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}

function ok(...content: ContentBlock[]): ToolResult {
  return { content, isError: false, metadata: { outcome: 'completed' } }
}

export const IMAGE: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' }

/** A picture file that the model receives twice: the second time as a reference. */
function givenTwice(): [ResultCase, ResultCase] {
  const uri = 'file:///a.png'
  const identity = { uri, sha256: '0'.repeat(64), bytes: 70 }
  const result: ToolResult = {
    ...ok({ type: 'resource', resource: { uri, mimeType: 'image/png', blob: PNG } }),
    metadata: { outcome: 'completed', resources: [identity] },
  }
  const options = { minBytes: 0, profile: anthropicProfile }
  const first = deliverResult({ ...result, id: 'before' }, createDeliveryLedger([]), {
    ...options,
    turn: 1,
  })
  const ledger = createDeliveryLedger(first.deliveries)
  const { text, deliveries } = deliverResult(result, ledger, { ...options, turn: 2 })
  return [
    { result, text: first.text, deliveries: first.deliveries },
    { result: structuredClone(result), text, deliveries },
  ]
}

type ResultCase = Omit<ResultForModel, 'call'>

const [FIRST, AGAIN] = givenTwice()

/** A result of every kind, by the name of the case. */
export const EVERY_KIND: Readonly<Record<string, ResultCase>> = {
  text: { result: ok({ type: 'text', text: 'Done.' }) },
  nothing: { result: ok() },
  image: { result: ok({ type: 'text', text: 'A pixel:' }, IMAGE) },
  images: { result: ok(IMAGE, IMAGE) },
  'image too large': {
    result: ok({ type: 'image', data: getPng(9000, 10), mimeType: 'image/png' }),
  },
  'image that is not an image': { result: ok({ type: 'image', data: WAV, mimeType: 'image/png' }) },
  audio: { result: ok({ type: 'audio', data: WAV, mimeType: 'audio/wav' }) },
  pdf: {
    result: ok({
      type: 'resource',
      resource: { uri: 'file:///a/report.pdf', mimeType: 'application/pdf', blob: PDF },
    }),
  },
  bytes: {
    result: ok({
      type: 'resource',
      resource: { uri: 'file:///a.bin', mimeType: 'application/octet-stream', blob: PDF },
    }),
  },
  resource: {
    result: ok({
      type: 'resource',
      resource: { uri: 'file:///a.rs', mimeType: 'text/rust', text: 'fn main() {}' },
    }),
  },
  link: { result: ok({ type: 'resource_link', uri: 'file:///b.rs', name: 'b.rs' }) },
  'for the person': { result: ok({ ...IMAGE, annotations: { audience: ['user'] } }) },
  structured: { result: { ...ok(), structuredContent: { found: 2 } } },
  'error with image': {
    result: {
      content: [{ type: 'text', text: 'No such button.' }, IMAGE],
      isError: true,
      metadata: { outcome: 'failed' },
    },
  },
  denied: {
    result: {
      content: [{ type: 'text', text: 'Not now.' }],
      isError: true,
      metadata: { outcome: 'denied' },
    },
  },
  'picture file': FIRST,
  deduplicated: AGAIN,
}

/** All base64 of the cases. It must never become text. */
export const ALL_BYTES = [PNG, WAV, PDF, getPng(9000, 10)]
