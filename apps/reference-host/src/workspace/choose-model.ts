import { describeProblem, type ModelConfiguration } from './configuration/configuration.ts'
import { EXIT } from '../process/exit-codes.ts'
import type { Workspace } from './open-workspace.ts'
import { HOW_TO_AGREE } from './waiting-parts.ts'

/** The model that is asked, if any is named, or why none may be. */
export type ChosenModel =
  | { ok: true; model: ModelConfiguration | undefined }
  | { ok: false; message: string; code: number }

/**
 * Chooses the model of the folder, or else that of the user's own settings. One of the two counts as a whole: an address that a
 * folder names never meets a key that a user has set.
 */
export function chooseModel({
  configuration,
  written,
  isAgreed,
  settings,
}: Pick<Workspace, 'configuration' | 'written' | 'isAgreed' | 'settings'>): ChosenModel {
  if (written.configuration.model && !isAgreed('model')) {
    const message = `the model is not asked, because you have not agreed to it: ${HOW_TO_AGREE}`
    const place = written.configuration.locate({ path: ['model'], message })
    return { ok: false, message: describeProblem(place), code: EXIT.denied }
  }
  return { ok: true, model: configuration.model ?? settings.model }
}
