import { createModelAnswers } from '@toolblocks/inquiry/model'
import { formatBlocks } from '@toolblocks/formatter'
import type { AnswerQuestion } from '@toolblocks/protocol'
import { createTypedAnswers } from '../terminal/typed-answers.ts'
import { DEMO_ANSWERS, DEMO_MODEL_ANSWER } from './demo-script.ts'

/** Answers for a person where nobody sits at a terminal, and says so. */
export function createScriptedPerson(tell: (text: string) => void): AnswerQuestion {
  const answers = createTypedAnswers(DEMO_ANSWERS, undefined)
  return async (request, context) => {
    const answer = await answers(request, context)
    if (answer.action === 'accept')
      tell(
        `${request.text} Nobody is at a terminal; the script answers ${JSON.stringify(answer.value)}.`,
      )
    return answer
  }
}

/** The scripted model, as it answers the questions that are routed to it. */
export function createScriptedModelAnswers(): AnswerQuestion {
  return createModelAnswers({
    model: async () => ({ answer: DEMO_MODEL_ANSWER }),
    formatBlocks: (blocks) => formatBlocks(blocks),
  })
}
