// This file runs in a worker, which can be ended if a rule has a slow pattern.
import { parentPort } from 'node:worker_threads'
import { lintSource } from '@secretlint/core'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { findAssignedSecrets, type FoundRange } from './assigned-secrets.ts'

/** A text to search. */
export interface SecretRequest {
  text: string
}

const PREFIX = '@secretlint/secretlint-rule-'

/** The rule that reads comments is omitted: `secretlint-disable` in a conversation must not hide a secret. */
const RULES = rules
  .filter(({ meta }) => meta.id !== `${PREFIX}filter-comments`)
  .map((rule) => ({ id: rule.meta.id, rule }))

parentPort?.on('message', (request: SecretRequest) => {
  // If a rule fails, the text counts as not searched.
  void findRanges(request)
    .catch(() => undefined)
    .then((ranges) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      parentPort?.postMessage(ranges)
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
  // secretlint removes a byte order mark, so its ranges start after it.
  const before = text.startsWith('\ufeff') ? 1 : 0
  const ranges = messages.map(({ range: [start, end], ruleId }) => ({
    start: start + before,
    end: end + before,
    rule: ruleId.replace(PREFIX, ''),
  }))
  return [...ranges, ...findAssignedSecrets(text)]
}
