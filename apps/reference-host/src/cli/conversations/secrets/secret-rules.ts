// Runs in a worker: a rule with a slow pattern holds nobody up, because the worker can be ended.
import { parentPort } from 'node:worker_threads'
import { lintSource } from '@secretlint/core'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'

/** A text to look through. */
export interface SecretRequest {
  text: string
}

/** What rules say is a secret: a range of the text, and the rule. */
export interface FoundRange {
  start: number
  end: number
  rule: string
}

const PREFIX = '@secretlint/secretlint-rule-'

/** Without the one that reads comments: `secretlint-disable` in a conversation must not hide a secret. */
const RULES = rules
  .filter(({ meta }) => meta.id !== `${PREFIX}filter-comments`)
  .map((rule) => ({ id: rule.meta.id, rule }))

parentPort?.on('message', (request: SecretRequest) => {
  // A rule that fails on a text has not looked it through.
  void findRanges(request)
    .catch(() => undefined)
    .then((found) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      parentPort?.postMessage(found)
    })
})

async function findRanges({ text }: SecretRequest): Promise<readonly FoundRange[]> {
  const { messages } = await lintSource({
    source: { content: text, filePath: 'conversation.txt', ext: '.txt', contentType: 'text' },
    options: {
      config: { rules: RULES },
      noPhysicFilePath: true,
    },
  })
  // It leaves a byte order mark out.
  const before = text.startsWith('\ufeff') ? 1 : 0
  return messages.map(({ range: [start, end], ruleId }) => ({
    start: start + before,
    end: end + before,
    rule: ruleId.replace(PREFIX, ''),
  }))
}
