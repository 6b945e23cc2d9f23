import type { AnswerQuestion, ContentBlock } from '@toolblocks/protocol'
import { createTypedAnswers } from '../terminal/ask/typed-answers.ts'
import { DEMO_ANSWERS } from './demo-script.ts'

/** Told what a person would have been shown, and what is answered for them. */
export type TellScripted = (material: readonly ContentBlock[], text: string) => void

/** Answers for a person where nobody sits at a terminal, and says so. */
export function createScriptedPerson(tell: TellScripted): AnswerQuestion {
  const answers = createTypedAnswers(DEMO_ANSWERS, undefined)
  return async (request, context) => {
    const answer = await answers(request, context)
    const { blocks, shown = 0, after = [] } = context
    if (answer.action === 'accept')
      tell(
        [...blocks.slice(shown), ...after],
        `${request.text} Nobody is at a terminal; the script answers ${JSON.stringify(answer.value)}.`,
      )
    return answer
  }
}
