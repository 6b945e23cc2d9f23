import type { ModelText } from '@toolblocks/protocol'
import { toModelText } from '../model-text.ts'

/** What may stand behind a fence without ending its line or the fence itself. */
const SAFE_TAG = /^[A-Za-z0-9+#._-]{1,32}$/
const BACKTICK = 96

/**
 * Puts text into a Markdown code block that the text cannot leave: the fence is longer than any run of backticks inside.
 * A final line feed is added where there is none; a tag that is no plain word is left out.
 */
export function codeFence(text: string, tag = ''): ModelText {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  const info = SAFE_TAG.test(tag) ? tag : ''
  const end = text === '' || text.endsWith('\n') ? '' : '\n'
  return toModelText(`${fence}${info}\n${text}${end}${fence}`)
}

/** Bytes of most texts fit; allocating them anew would take longer than reading them. */
const scratch = Buffer.alloc(64 * 1024)

/**
 * The longest run of backticks if longer than two. Only bytes where a longer run than known could end are looked at, and
 * backticks behind the text stop the search without a check of the length at every step.
 */
function longestRun(text: string): number {
  const first = text.indexOf('```')
  if (first === -1) return 2
  const size = text.length * 2 + 2
  const bytes = size <= scratch.length ? scratch : Buffer.allocUnsafe(size)
  // Reading bytes is twice as fast as charCodeAt; other characters that become 0x60 only make a fence longer.
  const length = bytes.write(text, 'latin1')
  bytes.fill(BACKTICK, length, size)
  let longest = 2
  let end = first + longest
  for (;;) {
    while (bytes[end] !== BACKTICK) end += longest + 1
    if (end >= length) return longest
    let before = end - 1
    while (end - before <= longest && bytes[before] === BACKTICK) before -= 1
    if (end - before > longest) {
      while (end + 1 < length && bytes[end + 1] === BACKTICK) end += 1
      longest = end - before
      before = end
    }
    end = before + longest + 1
  }
}
