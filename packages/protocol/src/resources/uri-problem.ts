import type { Problem } from '../problem.ts'

const messages = {
  'ambiguous-empty-segment':
    '".." follows an empty segment ("//"), which readers resolve differently; write the path without "//"',
  authority:
    'the host is not one this can name; a file uri has none or localhost, others a plain host and port',
  backslash: 'a backslash is not part of a uri; write "/" for a separator, or %5C',
  'bad-percent': '"%" needs two hexadecimal digits after it; write %25 for the character itself',
  'control-char': 'a control character is not part of a uri; percent-encode it',
  'encoded-backslash': '%5C would be a path separator on Windows; write "/"',
  'encoded-slash': '%2F would be a "/" inside a name, which no file has; write "/" for a separator',
  'lone-surrogate': 'half of a surrogate pair is not a character and has no encoding',
  'no-drive':
    'the path names no drive and the workspace root gives none; start it with one, as in file:///C:/',
  'no-path': 'there is no path; give an absolute one, as in file:///a/b',
  'not-a-uri': 'there is no scheme; an absolute path becomes a uri with file:// in front',
  nul: '%00 cannot be part of a path',
  query: '"?" starts a query, which files do not have; write %3F for the character itself',
  relative: 'the path is relative; give an absolute one, as in file:///a/b',
  'surrounding-whitespace': 'there is white space before or after the uri; leave it out',
  'too-long': 'the uri has more than 8 KiB, or would have in its canonical form',
  unc: 'a path on another machine ("//server/share") has no identity here; use a mapped drive',
  userinfo:
    'a user name or password is not part of what is identified and was left out; keep secrets out of uris',
} as const

/** The codes of uris. */
export const URI_PROBLEM_CODES: readonly string[] = Object.keys(messages)

/** Why a uri has no canonical form, or (`userinfo`) what was left out of it: the `code` of its `Problem`. */
export type UriProblemCode = keyof typeof messages

/** Makes the problem of one uri. */
export function uriProblem(code: UriProblemCode, uri: string): Problem<UriProblemCode> {
  return { path: '', code, message: messages[code], got: JSON.stringify(uri.slice(0, 100)) }
}
