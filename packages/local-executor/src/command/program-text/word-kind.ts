import type { Interpreter } from './interpreters.ts'
import type { Word } from './program-text.ts'

/** What a word is to an interpreter that still reads options. `code` carries program text itself, `code-next` in the next word. */
export type WordKind =
  | 'end-of-options'
  | 'script'
  | 'code'
  | 'code-next'
  | 'code-operand'
  | 'code-rest'
  | 'valued'
  | 'option'
  | 'changing-option'
  | 'operand'

/** Says what a word is to an interpreter that still reads options. */
export function kindOf(interpreter: Interpreter, { lead, isFixed }: Word): WordKind {
  const { attached, code, codeOperand, codeRest, script, valued } = interpreter
  if (lead === '--' && isFixed) return 'end-of-options'
  if (attached?.test(lead) && !(isFixed && valued?.test(lead))) return 'option'
  if (script?.test(lead)) return 'script'
  const carried = code?.exec(lead)
  if (carried) return carried[1] === '' ? 'code-next' : 'code'
  if (codeOperand?.test(lead)) return 'code-operand'
  if (codeRest?.test(lead)) return 'code-rest'
  if (isFixed && valued?.test(lead)) return 'valued'
  if (!/^[-+]./.test(lead) && lead !== '-') return 'operand'
  return isFixed || (lead.startsWith('--') && lead.includes('=')) ? 'option' : 'changing-option'
}
