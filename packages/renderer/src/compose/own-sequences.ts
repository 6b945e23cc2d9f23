/** A colour or weight of letters. */
const RENDITION = String.raw`\u001B\[[\d;:]*m`
/** A link, or a picture: text for the terminal itself, up to its end. */
const STRING = String.raw`\u001B[\]_P][^\u001B\u0007]*(?:\u001B\\|\u0007)`
/** An address that what follows leads to; an empty one ends it. */
const LINK = String.raw`\u001B\]8;;([^\u001B\u0007]*)\u001B\\`

/** Every sequence that text for a terminal may hold: all of them are written here, and take no column. */
export const OWN_SEQUENCE = `(?:${RENDITION}|${STRING})`

/** Ends a link. */
export const END_OF_LINK = '\u001B]8;;\u001B\\'

const LINKS = new RegExp(LINK, 'g')

/** The link that is open after a text, as the sequence that opens it; empty where there is none. */
export function openLinkAfter(text: string, before: string): string {
  if (!text.includes('\u001B]8;;')) return before
  const last = [...text.matchAll(LINKS)].at(-1)
  return last?.[1] === undefined || last[1] === '' ? '' : last[0]
}
