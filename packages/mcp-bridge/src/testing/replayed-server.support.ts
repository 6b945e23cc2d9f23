/** A server over standard streams that answers like a published server, whose recording its argument names. It answers only the recorded requests. */
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { readRecording } from './recordings.support.ts'

const { exchanges } = readRecording(process.argv[2] ?? '')

/** Only the first request of a connection is about the client. */
function findAnswer(method: unknown, params: JsonObject): JsonObject {
  const { _meta: _own, ...plainParams } = params
  const exchange = exchanges.find(
    (each) =>
      each.method === method &&
      (method === 'initialize' || isDeepStrictEqual(fill(each.params), fill(plainParams))),
  )
  return exchange
    ? { result: exchange.result }
    : {
        error: { code: -32_601, message: `not recorded: ${JSON.stringify([method, plainParams])}` },
      }
}

/** Absent arguments are the same as none. */
function fill(params: JsonObject): JsonObject {
  return 'name' in params ? { ...params, arguments: params['arguments'] ?? {} } : params
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message: unknown = JSON.parse(line)
  if (!isJsonObject(message) || message['id'] === undefined || message['method'] === undefined)
    return
  const { id, method, params } = message
  const answer =
    method === 'ping' ? { result: {} } : findAnswer(method, isJsonObject(params) ? params : {})
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
