import { isSecret, maskWords } from '../../workspace/servers/mask-server.ts'

/** What is shown in place of a secret. */
export const MASK = '***'

/** Options of this command with the names of tools and arguments, which may be words such as `get_key`, and never have a secret. */
const RULES = /^--(?:policy|select|hide|rename|describe|[a-z]+-tool)$/

/** The words of a command line and the blanks between them. Quotation marks keep blanks in a word. */
const PARTS = /\s+|(?:"[^"]*"|'[^']*'|[^\s"']|["'])+/g

/** A longer text is data. */
const MAX_LINE = 10_000

/** Replaces the probable secrets in the words of a command line: after options, in variables, headers and addresses, and in command lines inside it. */
export function maskCommandWords(args: readonly string[]): readonly string[] {
  const masked = maskWords(args)
  return args.map((word, index) => {
    if (RULES.test(args[index - 1] ?? '')) return word
    const whole = masked[index] ?? word
    return whole === word ? maskInside(word) : whole
  })
}

function maskInside(word: string): string {
  if (isAddress(word)) return word
  const [, name = '', value = ''] = /^([\w.-]+=)(\S+)$/.exec(word) ?? []
  if (name !== '' && isSecret(name, value)) return `${name}${MASK}`
  return /\s/.test(word) ? maskCommandLine(word) : word
}

/** Returns the names of the probable secrets in the words of a command line: of options, variables, headers, and parameters of addresses. */
export function nameSecrets(args: readonly string[]): readonly string[] {
  const masked = maskCommandWords(args)
  return args.flatMap((word, index) => {
    const replacement = masked[index] ?? word
    return replacement === word ? [] : nameMasked(word, replacement, args[index - 1] ?? '')
  })
}

function nameMasked(word: string, masked: string, before: string): readonly string[] {
  if (isAddress(word)) {
    const parameters = [...masked.matchAll(/[?&#]([^=&#]+)=\*\*\*/g)].map(([, name = '']) => name)
    return parameters.length > 0 ? parameters : ['the password of an address']
  }
  const [, name] = /^([\w.-]+)(?:=|:\s*)\*\*\*$/.exec(masked) ?? []
  if (name !== undefined) return [name]
  const inside = /\s/.test(word) ? nameSecrets(splitWords(word)) : []
  if (inside.length > 0) return inside
  return [/^--?[A-Za-z]/.test(before) && masked === MASK ? before : 'a word of a command line']
}

function splitWords(line: string): readonly string[] {
  const parts = line.match(PARTS) ?? []
  return parts.filter((part) => part.trim() !== '').map(getUnquoted)
}

/** Replaces the probable secrets in a command line or in an address. Blanks and line breaks stay. */
export function maskCommandLine(line: string): string {
  if (line.length > MAX_LINE) return line
  const parts = line.match(PARTS) ?? []
  const args = splitWords(line)
  // One word without quotation marks around it has no words inside.
  const masked = args.length === 1 && args[0] === line ? maskOne(line) : maskCommandWords(args)
  let index = 0
  return parts
    .map((part) => {
      if (part.trim() === '') return part
      const [word = '', replacement = ''] = [args[index], masked[index]]
      index += 1
      return replacement === word ? part : part.replace(word, () => replacement)
    })
    .join('')
}

function maskOne(word: string): readonly string[] {
  const [masked = word] = maskWords([word])
  return [masked === word ? maskInside(word) : masked]
}

function getUnquoted(part: string): string {
  return /^"([^"]+)"$|^'([^']+)'$/.exec(part)?.slice(1).find(Boolean) ?? part
}

/** Whether a text is an address. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z+.-]*:\/\//i.test(text)
}
