import type { FoundRange } from './assigned-secrets.ts'
import { findMark, isPlaceholder } from './placeholders.ts'

/** The header of a request or a response, and what a program sets. */
const COOKIE =
  /\bcookie["']?[ \t]{0,8}(?:[:=]|,(?=[ \t]{0,8}["']))[ \t]{0,8}(?:\r?\n[ \t]{1,8})?\[?["']?([^\r\n"'<>\\]{10,8192})/dgi

const PAIR = /([\w.-]{1,100})=([^\s;,=]{8,4096}=*)/g

/** Names of cookies with which another person could continue a session. */
const SESSION_NAME = /sess|sid$|auth|token|jwt|csrf|xsrf|remember|identity/i

/** Finds the values of cookies that identify a session. */
export function findCookies(text: string): readonly FoundRange[] {
  return [...text.matchAll(COOKIE)].flatMap(({ indices, 1: cookies = '' }) => {
    const [begin] = indices?.[1] ?? [0]
    return [...cookies.matchAll(PAIR)].flatMap(({ index, 0: pair, 1: name = '', 2: rest = '' }) => {
      const value = rest.slice(0, findMark(rest))
      const isSecret =
        SESSION_NAME.test(name) &&
        value.length >= 8 &&
        /\d/.test(value) &&
        /[A-Za-z]/.test(value) &&
        !isPlaceholder(value)
      const start = begin + index + pair.length - rest.length
      return isSecret ? [{ start, end: start + value.length, rule: 'cookie' }] : []
    })
  })
}
