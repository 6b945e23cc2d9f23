import { requireArguments } from '@toolblocks/protocol/internal'
import type { Worker } from 'node:worker_threads'
import type { PictureScaler, ScaledPicture, ScaleTarget } from './scaled-picture.ts'
import { scaleInWorker, type ScaleJob, type ScaleMessage } from './scale-in-worker.ts'

/** Options of `createPictureScaler`. */
export interface PictureScalerOptions {
  /** Milliseconds for one picture; the worker then ends. Default: 20,000. */
  timeoutMs?: number
  /** Milliseconds after which a worker without work ends. Default: 10,000. */
  idleMs?: number
}

const PHOTON = '@cf-wasm/photon'

const ABSENT: ScaledPicture = {
  ok: false,
  reason: `pictures can be scaled if ${PHOTON} is installed`,
  install: PHOTON,
}

const UNDECODABLE: ScaledPicture = { ok: false, reason: 'it could not be decoded' }

/**
 * Creates a scaler with `@cf-wasm/photon`, an optional peer that is loaded for the first picture. The decoder is WebAssembly in a worker: a picture
 * that breaks it or takes too long ends only the worker. Pictures are scaled one after another. Without the peer, and outside Node.js, no picture is scaled, and
 * the reason names the peer.
 */
export function createPictureScaler(options: PictureScalerOptions = {}): PictureScaler {
  requireArguments('createPictureScaler(options)', [options, 'object'])
  const { timeoutMs = 20_000, idleMs = 10_000 } = options
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  const end = async (): Promise<void> => {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }

  const scaleNext = async (
    bytes: Uint8Array<ArrayBuffer>,
    target: ScaleTarget,
  ): Promise<ScaledPicture> => {
    clearTimeout(idle)
    if (!worker) {
      const started = startWorker()
      if (!started) return ABSENT
      worker = started
      const first = await readMessage(worker, timeoutMs)
      if (first?.type !== 'ready') {
        await end()
        return { ok: false, reason: `${PHOTON} could not be loaded` }
      }
    }
    worker.ref()
    const job: ScaleJob = { bytes, target }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker of Node.js has no origin
    worker.postMessage(job)
    const answer = await readMessage(worker, timeoutMs)
    if (answer?.type !== 'done') {
      await end()
      return answer === undefined
        ? { ok: false, reason: `it could not be scaled within ${timeoutMs} ms` }
        : UNDECODABLE
    }
    worker.unref()
    idle = setTimeout(() => void end(), idleMs)
    idle.unref()
    return answer.outcome
  }

  return {
    scale: async (bytes, target) => {
      const scaling = last.then(async () => await scaleNext(bytes, target))
      last = scaling.catch(() => undefined)
      return await scaling
    },
    close: async () => {
      await last
      await end()
    },
  }
}

/** Starts the worker; `undefined` if the peer is absent, or if this is no Node.js. */
function startWorker(): Worker | undefined {
  // A browser has no `process`, and some bundlers replace it by an object without this function.
  const { process: host }: { process?: Partial<typeof process> } = globalThis
  if (host?.getBuiltinModule === undefined) return undefined
  const { Worker: NodeWorker } = host.getBuiltinModule('node:worker_threads')
  let photon: string
  try {
    photon = import.meta.resolve(`${PHOTON}/node`)
  } catch {
    return undefined
  }
  const program = `(${String(scaleInWorker)})(require('node:worker_threads').parentPort, import(${JSON.stringify(photon)}))`
  // Its decoder writes to the console when it fails.
  const started = new NodeWorker(program, { eval: true, execArgv: [], stdout: true, stderr: true })
  // Without this, an error while nobody reads would end the program.
  started.on('error', () => {})
  return started
}

/** Reads the next message. `undefined`: it did not come in time. `'ended'`: the worker ended. */
async function readMessage(
  worker: Worker,
  timeoutMs: number,
): Promise<ScaleMessage | { type: 'ended' } | undefined> {
  const { promise, resolve } = Promise.withResolvers<ScaleMessage | { type: 'ended' } | undefined>()
  const endTimer = setTimeout(() => resolve(undefined), timeoutMs)
  const onEnd = (): void => resolve({ type: 'ended' })
  worker.on('message', resolve).on('error', onEnd).on('exit', onEnd)
  try {
    return await promise
  } finally {
    clearTimeout(endTimer)
    worker.off('message', resolve).off('error', onEnd).off('exit', onEnd)
  }
}
