/** Returns the first `count` UTF-16 code units of a text, without half a surrogate pair at the end. */
export function takeCodeUnits(text: string, count: number): string {
  if (text.length <= count) return text
  return text.slice(0, isHighSurrogate(text.charCodeAt(count - 1)) ? count - 1 : count)
}

/** Returns a text of at most `length` UTF-16 code units unchanged, and the beginning of a longer one with `…`. */
export function shortenText(text: string, length: number): string {
  return text.length <= length ? text : `${takeCodeUnits(text, length)}…`
}

/** Returns the length in Unicode code points. A surrogate pair is one, and so is an unpaired surrogate. */
export function countCharacters(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    if (isHighSurrogate(text.charCodeAt(index)) && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00)
      index += 1
    count += 1
  }
  return count
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}

/** Formats a number of bytes in the largest unit that keeps it above one, for example `1.2 KB`. */
export function formatByteSize(bytes: number): string {
  if (bytes === 1) return '1 byte'
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Returns the number of bytes that a base64 text encodes. */
export function getBase64ByteLength(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding)
}
