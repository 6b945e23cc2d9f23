import { split } from 'shlex'
import { nameOf, type ProgramText, type Word } from './program-text.ts'
import { type Wrapper, WRAPPERS } from './wrappers.ts'

type Skipped = { rest: readonly Word[] } | { found: ProgramText }

/** The words from the command that wrappers such as `env` and `sudo` start, if no value can change what that is. */
export function skipWrappers(words: readonly Word[]): Skipped {
  let rest = words
  for (;;) {
    const [program, ...args] = rest
    if (!program) return { rest }
    const wrapper = WRAPPERS.get(nameOf(program))
    if (!wrapper) return { rest }
    const skipped = skipWrapper(wrapper, args, nameOf(program) === 'env' ? 'splits' : 'plain')
    if ('found' in skipped) return skipped
    rest = skipped.rest
  }
}

const SPLITS =
  'env splits this text into a command, so that a value in it could start anything: write its words one by one'
const OPTION =
  'a value here could become another option, which decides what is started: write the option and its value as two words'
const VARIABLE = 'a value of this variable could decide what is run: set it with another name'

/** Variables that programs take code, programs or libraries from. */
const DECIDING = /^(?:PATH|ENV|BASH_\w+|LD_\w+|DYLD_\w+|IFS|NODE_\w+|PYTHON\w+|PERL\w+|RUBY\w+)=/

/** The words behind one wrapper's options, assignments and own operands. */
function skipWrapper(
  { valued, operands: count = 0 }: Wrapper,
  args: readonly Word[],
  kind: 'splits' | 'plain',
): Skipped {
  let operands = count
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at]
    if (!word) break
    const { lead, isFixed } = word
    const text =
      kind === 'splits' ? /^(?:-[a-zA-Z0-9]*S|--split-string(?:=|$))(.*)/s.exec(lead) : null
    if (text) return splitWord(text[1] ?? '', args.slice(at))
    if (lead === '--') return { rest: args.slice(at + 1 + operands) }
    if (/^\w+=/.test(lead)) {
      if (!isFixed && DECIDING.test(lead)) return { found: { index: word.index, reason: VARIABLE } }
    } else if (lead.startsWith('-')) {
      if (!isFixed && !lead.includes('=')) return { found: { index: word.index, reason: OPTION } }
      if (valued?.test(lead)) at += 1
    } else if (operands > 0) operands -= 1
    else break
  }
  return { rest: args.slice(at) }
}

/** `env -S` makes words of a text, which are env's arguments again. */
function splitWord(attached: string, [word, next, ...after]: readonly Word[]): Skipped {
  const isAttached = attached !== '' || word?.isFixed === false
  const text = isAttached ? word && { ...word, lead: attached } : next
  if (!text) return { rest: [] }
  if (!text.isFixed) return { found: { index: text.index, reason: SPLITS } }
  const words = splitText(text.lead).map((lead) => ({ ...text, lead }))
  const rest = isAttached && next ? [next, ...after] : after
  return { rest: [{ ...text, lead: 'env' }, ...words, ...rest] }
}

function splitText(text: string): readonly string[] {
  try {
    return split(text)
  } catch {
    return []
  }
}
