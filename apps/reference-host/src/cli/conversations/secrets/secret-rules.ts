// This file runs in a worker, which can be ended if a rule has a slow pattern.
import { parentPort } from 'node:worker_threads'
import { findRanges } from './find-ranges.ts'

/** A text to search. */
export interface SecretRequest {
  text: string
}

parentPort?.on('message', ({ text }: SecretRequest) => {
  // If a rule fails, the text counts as not searched.
  void findRanges(text)
    .catch(() => undefined)
    .then((ranges) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      parentPort?.postMessage(ranges)
    })
})
