import { randomUUID } from 'node:crypto'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import type { FeatureRequest, ServedClient } from '../server/served-features.ts'

/** The progress of requests that are passed on. Each has a token of its own, because clients may use the same ones. */
export interface PassedProgress {
  /** Does the work of a request, with parameters for the server, and passes its progress on meanwhile. */
  during<Value>(
    request: FeatureRequest,
    client: ServedClient,
    work: (params: JsonObject) => Promise<Value>,
  ): Promise<Value>
  /** Passes a notification on to the client that it belongs to. Returns whether there is one. */
  pass(method: string, params: JsonObject): boolean
}

/** Tracks the requests that are passed on. */
export function trackProgress(): PassedProgress {
  const heard = new Map<unknown, { client: ServedClient; token: unknown }>()
  return {
    during: async ({ params }, client, work) => {
      const { _meta: meta } = params
      const token = isJsonObject(meta) ? meta['progressToken'] : undefined
      if (token === undefined || !isJsonObject(meta)) return await work(params)
      const progressToken = randomUUID()
      heard.set(progressToken, { client, token })
      try {
        return await work({ ...params, _meta: { ...meta, progressToken } })
      } finally {
        heard.delete(progressToken)
      }
    },
    pass: (method, params) => {
      if (method !== 'notifications/progress') return false
      const listener = heard.get(params['progressToken'])
      listener?.client.notify(method, { ...params, progressToken: listener.token })
      return listener !== undefined
    },
  }
}
