import { ALL_BYTES, EVERY_KIND } from '../../packages/formatter/src/testing/every-kind.support.ts'
import { CHECKS } from '../compare-gateway-hosts/measure.mjs'
import { MIXED } from '../compare-gateway-hosts/mixed-server.mjs'

/** The text that a model must read of some cases: the content of a file, the address of a link, a value of structured content. */
const TEXTS = {
  resource: /fn main\(\) \{\}/,
  link: /file:\/\/\/b\.rs/,
  structured: /\\*"found\\*": ?2/,
}

/** The results that are sent, by the name of their case. */
export const KINDS = ['image', 'images', 'audio', 'pdf', 'error with image', ...Object.keys(TEXTS)]

/** The results that are sent, by the name of their case: those of one kind of content, and those that mix kinds. */
export const RESULTS = {
  ...Object.fromEntries(KINDS.map((kind) => [kind, EVERY_KIND[kind].result])),
  ...Object.fromEntries(
    Object.entries(MIXED).map(([kind, { result }]) => [
      nameMixed(kind),
      { ...result, isError: result.isError === true, metadata: { outcome: 'completed' } },
    ]),
  ),
}
export const MIXED_CHECKS = CHECKS.length

/** Returns what is wrong in the requests with mixed results. Misplaced media are not received. */
export function findWrong(requests) {
  const sent = Object.keys(MIXED).flatMap((kind) => {
    const request = requests[nameMixed(kind)]
    if (!request) return []
    const { tools: _, ...body } = request
    return [removeMisplaced(body)]
  })
  const last = JSON.stringify(sent)
  const failed = CHECKS.filter(({ passes }) => !passes({ results: [], last }))
  return failed.map(({ what }) => what)
}

/** Both kinds of cases have a link. */
function nameMixed(kind) {
  return `mixed: ${kind}`
}

function removeMisplaced(value, isTaken = true) {
  if (typeof value === 'string')
    return !isTaken && ALL_BYTES.some((data) => value.endsWith(data)) ? '' : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => removeMisplaced(item, isTaken))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      removeMisplaced(item, isTaken && value.role !== 'tool' && key !== 'response'),
    ]),
  )
}

/** Counts the contents of one client's requests, by case. */
export function countRequests(requests) {
  const score = { media: 0, misplaced: 0, base64: 0, texts: 0, failed: false, sent: 0 }
  for (const kind of KINDS) {
    const request = requests[kind]
    if (!request) continue
    score.sent += 1
    const { tools: _, ...body } = request
    for (const { text, isTaken } of getTexts(body))
      for (const data of ALL_BYTES)
        if (text === data || (text.startsWith('data:') && text.endsWith(`;base64,${data}`)))
          score[isTaken ? 'media' : 'misplaced'] += 1
        else if (text.includes(data)) score.base64 += 1
    if (TEXTS[kind]?.test(JSON.stringify(body))) score.texts += 1
    if (kind === 'error with image')
      score.failed = /"is_error":true|"error":|call failed|\berror\b/i.test(
        JSON.stringify(body).replaceAll('"is_error":false', ''),
      )
  }
  return score
}

/**
 * Returns every text of a request, and whether media are allowed there. They are not allowed in a tool's message of OpenAI's Chat and in Gemini's
 * `response`.
 */
function* getTexts(value, isTaken = true) {
  if (typeof value === 'string') yield { text: value, isTaken }
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value))
      yield* getTexts(item, isTaken && value.role !== 'tool' && key !== 'response')
}
