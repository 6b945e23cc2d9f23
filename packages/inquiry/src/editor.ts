import { explainMissingPeer } from '@toolblocks/protocol'
import type * as answers from './editor/create-editor-answers.ts'

/** Loaded here, so that who lacks the optional peer learns what to add. */
const loaded: typeof answers = await import('./editor/create-editor-answers.ts').catch(
  (cause: unknown) => {
    throw explainMissingPeer(cause, { entry: '@toolblocks/inquiry/editor', peer: 'jsonc-parser' })
  },
)

export const createEditorAnswers: typeof answers.createEditorAnswers = loaded.createEditorAnswers
export type { EditorAnswersOptions } from './editor/create-editor-answers.ts'
export { createTemplate } from './editor/create-template.ts'
export { EditorError } from './editor/editor-error.ts'
