import { createModelAnswerer } from '@toolblocks/agent'
import type { AnswerQuestion } from '@toolblocks/protocol'
import { formatOptions, modelSettings } from './configuration/agent-settings.ts'
import { describeModelAnswer } from '../terminal/describe-call.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { chooseModel } from './choose-model.ts'
import type { Workspace } from './open-workspace.ts'
import { openModel } from './model/open-model.ts'

/** Lets the model of a workspace answer the questions of a call that a person made. The model gets no conversation, because there is none. */
export function answerOutsideChat(workspace: Workspace, terminal: Terminal): AnswerQuestion {
  return async (request, context) => {
    const chosen = chooseModel(workspace)
    if (!chosen.ok) return { action: 'cancel', reason: 'nobody', message: chosen.message }
    const { model } = chosen
    const format = formatOptions(workspace.configuration)
    const answer = createModelAnswerer({
      open: async (name) =>
        await openModel(model && { ...model, ...(name !== undefined && { name }) }, {
          environment: process.env,
          format,
        }),
      settings: modelSettings(model ?? {}),
      onAnswer: (asked, came) => terminal.note(describeModelAnswer(asked, came, terminal)),
    })
    return await answer(request, context)
  }
}
