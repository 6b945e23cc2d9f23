import type { Template } from '../template.ts'
import { type Interpreter, INTERPRETERS } from './interpreters.ts'
import { nameOf, type ProgramText, toWord, type Word } from './program-text.ts'
import { skipWrappers } from './skip-wrappers.ts'
import { kindOf } from './word-kind.ts'

/**
 * The first placeholder of a command that would become program text of a known interpreter, behind whatever starts that,
 * or that decides what is started.
 */
export function findProgramText(templates: readonly Template[]): ProgramText | undefined {
  const skipped = skipWrappers(templates.map(toWord))
  if ('found' in skipped) return skipped.found
  const [program, ...args] = skipped.rest
  if (!program) return undefined
  if (!program.isFixed)
    return {
      index: program.index,
      reason: 'a value would decide what is started: name the program',
    }
  const interpreter = interpreterOf(program)
  return interpreter ? checkArguments(interpreter, args).found : findElsewhere(args)
}

/** Behind a program that is not known, an interpreter may be named anywhere: `docker exec box sh -c …`. */
function findElsewhere(words: readonly Word[]): ProgramText | undefined {
  for (const [at, word] of words.entries()) {
    const interpreter = interpreterOf(word)
    if (!interpreter) continue
    // Perhaps it is only a word: its options count, its operands and what may become an option do not.
    const possible = { ...interpreter, operand: 'script' } as const
    const { found, hasText } = checkArguments(possible, words.slice(at + 1))
    if (hasText) return found
  }
  return undefined
}

function interpreterOf(word: Word): Interpreter | undefined {
  const name = nameOf(word)
  return INTERPRETERS.find(({ names }) => names.includes(name))
}

interface Checked {
  readonly found: ProgramText | undefined
  /** Program text was given in the arguments. */
  readonly hasText: boolean
}

/** Goes through an interpreter's arguments up to where those of its program begin. */
function checkArguments(interpreter: Interpreter, words: readonly Word[]): Checked {
  let { operand } = interpreter
  let hasText = false
  let readsOptions = true
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (!word) break
    const given = readsOptions ? kindOf(interpreter, word) : 'operand'
    switch (given) {
      case 'end-of-options':
        readsOptions = false
        break
      case 'script':
        return { found: undefined, hasText }
      case 'code':
      case 'code-next': {
        const text = given === 'code' || !word.isFixed ? word : (words[++at] ?? word)
        if (!text.isFixed) return refuse(interpreter, text)
        hasText = true
        if (operand === 'code') operand = 'script'
        if (interpreter.codeRest?.test(word.lead)) operand = 'all'
        if (interpreter.endsWithCode) return { found: undefined, hasText }
        break
      }
      case 'code-operand':
        operand = 'code'
        if (interpreter.valued?.test(word.lead)) at += 1
        break
      case 'code-rest':
        operand = 'all'
        hasText = true
        break
      case 'valued':
        at += 1
        break
      case 'option':
        break
      case 'changing-option':
        return refuseOption(interpreter, word)
      case 'operand':
        if (!word.isFixed && (operand === 'code' || operand === 'all'))
          return refuse(interpreter, word)
        if (!word.isFixed && word.lead === '' && readsOptions)
          return refuseOption(interpreter, word)
        if (operand === 'code') hasText = true
        if (operand === 'rest') operand = 'all'
        else if (operand !== 'all' && !interpreter.permutes) return { found: undefined, hasText }
        else if (operand === 'code') operand = 'script'
        break
    }
  }
  return { found: undefined, hasText }
}

function refuse({ names, way }: Interpreter, { index }: Word): Checked {
  const reason = `a value in the program text of ${names[0]} would be run: ${way}`
  return { found: { index, reason }, hasText: true }
}

function refuseOption({ way }: Interpreter, { index }: Word): Checked {
  const reason = `a value here may be taken for an option, which can hold program text: write -- or a fixed beginning such as ./ before it; or ${way}`
  return { found: { index, reason }, hasText: false }
}
