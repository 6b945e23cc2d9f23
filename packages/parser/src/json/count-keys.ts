import { isEscapedInJson, isJsonWhiteSpace } from '@toolblocks/protocol'

/**
 * How many keys a text of valid JSON may have: never less than it has, and more only where a string begins with a colon. One look at
 * each colon, so that hardly any text needs a scan for repeated keys.
 */
export function countKeys(text: string): number {
  let keys = 0
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let end = colon - 1
    while (isJsonWhiteSpace(text.charCodeAt(end))) end -= 1
    if (text.charAt(end) === '"' && !isEscapedInJson(text, end)) keys += 1
  }
  return keys
}
