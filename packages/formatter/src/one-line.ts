const LONGEST = 200
const NO_PART_OF_A_LINE =
  // oxlint-disable-next-line no-control-regex -- they are what is replaced
  /[\s\u0000-\u001F\u007F-\u009F\u2028\u2029\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+/gu

/** Text from outside as part of a line of ours: without line breaks or invisible characters, at most 200 long. */
export function oneLine(text: string): string {
  const line = text.replaceAll(NO_PART_OF_A_LINE, ' ').trim()
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`
}
