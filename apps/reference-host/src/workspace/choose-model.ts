import { describeProblem } from './configuration/configuration.ts'
import type { ModelConfiguration } from './configuration/table-schemas.ts'
import { EXIT } from '../process/exit-codes.ts'
import type { Workspace } from './open-workspace.ts'
import { HOW_TO_AGREE } from './waiting-parts.ts'

/** The model that is used if one is configured, or why it may not be used. */
export type ChosenModel =
  | { ok: true; model: ModelConfiguration | undefined }
  | { ok: false; message: string; code: number }

/**
 * Chooses the model of the folder, or otherwise the one of the user's settings. The two are never mixed, so that the user's key is not sent to an
 * address that a folder names.
 */
export function chooseModel({
  configuration,
  written,
  isAgreed,
  settings,
}: Pick<Workspace, 'configuration' | 'written' | 'isAgreed' | 'settings'>): ChosenModel {
  if (written.configuration.model && !isAgreed('model')) {
    const message = `the model is not used, because you have not agreed to it: ${HOW_TO_AGREE}`
    const problem = written.configuration.locate({ path: ['model'], message })
    return { ok: false, message: describeProblem(problem), code: EXIT.denied }
  }
  return { ok: true, model: configuration.model ?? settings.model }
}
