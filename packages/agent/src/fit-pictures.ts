import { createPictureFitter, type PictureFitter } from '@toolblocks/formatter/pictures'
import type { OpenModel } from './answer-by-model.ts'
import type { Model, ModelWithProfile } from './model.ts'

/** The fitter of all agents of this process. It starts its worker with the first picture that is too large. */
const shared = createPictureFitter()

/** Wraps a model, so that the pictures of each request fit its profile. Without a profile, its limits are unknown and requests are unchanged. */
export function withFittingPictures(
  { model, profile }: ModelWithProfile,
  pictures: PictureFitter | 'as-is' = shared,
): Model {
  if (pictures === 'as-is' || !profile) return model
  return async function* answer(request, signal) {
    const fitted = await raceAbort(pictures.fitRequest(request, profile), signal)
    yield* model(fitted, signal)
  }
}

/** The same for models that are opened by name. */
export function withFittingModels(
  openModel: OpenModel,
  pictures: PictureFitter | 'as-is' | undefined,
): OpenModel {
  return async (name) => {
    const opened = await openModel(name)
    if (!opened.ok) return opened
    return { ...opened, model: withFittingPictures(opened, pictures) }
  }
}

/** Rejects as soon as the signal aborts, because a picture may take seconds. */
async function raceAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
