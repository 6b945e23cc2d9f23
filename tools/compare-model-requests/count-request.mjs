import { ALL_BYTES } from '../../packages/formatter/src/testing/every-kind.support.ts'

/** The text that a model must read of some cases: the content of a file, the address of a link, a value of structured content. */
const TEXTS = {
  resource: /fn main\(\) \{\}/,
  link: /file:\/\/\/b\.rs/,
  structured: /\\*"found\\*": ?2/,
}

/** The results that are sent, by the name of their case. */
export const KINDS = ['image', 'images', 'audio', 'pdf', 'error with image', ...Object.keys(TEXTS)]

/** Counts the contents of one client's requests, by case. */
export function countRequests(requests) {
  const score = { media: 0, misplaced: 0, base64: 0, texts: 0, failed: false, sent: 0 }
  for (const [kind, request] of Object.entries(requests)) {
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
