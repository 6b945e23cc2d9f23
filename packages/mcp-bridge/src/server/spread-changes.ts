import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { UPDATED } from '../wire/message.ts'
import { type SharedDocuments, writeShared } from './shared-documents.ts'
import type { ToolService } from './tool-service.ts'

/** A service whose clients also hear what other replicas hear. */
interface SpreadService {
  service: ToolService
  close(): void
}

/** A change, without what has changed. */
interface Change {
  method: string
  /** Of a resource that has changed. */
  uri?: string
}

const TOOLS_CHANGED = 'notifications/tools/list_changed'
const SPREAD = new Set([
  TOOLS_CHANGED,
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  UPDATED,
])

const COLLECTION = 'mcp-change'
const ID = 'all'
/** Milliseconds in which equal changes are one. */
const SAME_MS = 100
/** The changes that are kept for replicas that have not read them. */
const MAX_KEPT = 200
/** Milliseconds between two looks at documents that do not tell of their changes, and after a failure. */
const LOOK_MS = 1000
/** Writes of one announcement, if other replicas write at the same time. */
const TRIES = 20

/**
 * Tells other replicas of the changes that this one hears from servers and of its tools, through one shared document, and the clients of this one of those that others hear. Clients
 * get them as their own: only what they have asked for or subscribed to. What another replica has told is not told again.
 */
export function spreadChanges(service: ToolService, documents: SharedDocuments): SpreadService {
  const own = randomUUID()
  const closing = new AbortController()
  const { signal } = closing
  const listeners = new Set<(change: Change) => void>()
  /** When each change was heard last: here, or from another replica. */
  const heardAt = new Map<string, number>()
  const telling = new Map<string, Change>()
  let timer: NodeJS.Timeout | undefined

  /** Notes a change; returns whether it is another one than before. */
  function note(change: Change): boolean {
    const now = performance.now()
    for (const [key, time] of heardAt) if (now - time >= SAME_MS) heardAt.delete(key)
    const key = JSON.stringify([change.method, change.uri])
    if (heardAt.has(key)) return false
    heardAt.set(key, now)
    return true
  }

  function hear(method: string, { uri }: JsonObject): void {
    if (!SPREAD.has(method) || signal.aborted) return
    const change: Change = { method, ...(method === UPDATED && typeof uri === 'string' && { uri }) }
    if (!note(change)) return
    telling.set(JSON.stringify([method, change.uri]), change)
    timer ??= setTimeout(() => {
      timer = undefined
      const changes = [...telling.values()]
      telling.clear()
      void tell(changes).catch(() => undefined)
    }, SAME_MS).unref()
  }

  async function tell(changes: readonly Change[]): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const document = await documents.read(COLLECTION, ID)
      const known = readChanges(document?.value)
      const last = known.at(-1)?.number ?? 0
      const added = changes.map((change, index) => ({
        ...change,
        number: last + index + 1,
        from: own,
      }))
      const { ok } = await writeShared(documents, {
        collection: COLLECTION,
        id: ID,
        version: document?.version ?? 0,
        state: 'changes',
        value: { changes: [...known, ...added].slice(-MAX_KEPT) },
      })
      if (ok) return
    }
  }

  async function follow(): Promise<void> {
    let version = -1
    let last: number | undefined
    while (!signal.aborted) {
      try {
        if (version >= 0 && documents.changed)
          await documents.changed(COLLECTION, ID, version, signal)
        else if (version >= 0) await pause(LOOK_MS, undefined, { signal, ref: false })
        const document = await documents.read(COLLECTION, ID)
        version = document?.version ?? 0
        const changes = readChanges(document?.value)
        const before = last ?? Infinity
        last = changes.at(-1)?.number ?? 0
        for (const { number, from, ...change } of changes)
          if (number > before && from !== own && note(change))
            for (const listener of listeners) listener(change)
      } catch {
        await pause(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
      }
    }
  }

  function spread<Service extends Omit<ToolService, 'open'>>(heard: Service): Service {
    const { onDefinitionsChanged, features } = heard
    return {
      ...heard,
      ...(onDefinitionsChanged && {
        onDefinitionsChanged: (listener: () => void) => {
          const ofOthers = ({ method }: Change): void => {
            if (method === TOOLS_CHANGED) listener()
          }
          listeners.add(ofOthers)
          const stop = onDefinitionsChanged(() => {
            hear(TOOLS_CHANGED, {})
            listener()
          })
          return () => {
            listeners.delete(ofOthers)
            stop()
          }
        },
      }),
      ...(features && {
        features: {
          ...features,
          watch: (listener: (method: string, params: JsonObject) => void, client) => {
            const ofOthers = ({ method, uri }: Change): void => {
              if (method !== TOOLS_CHANGED) listener(method, uri === undefined ? {} : { uri })
            }
            listeners.add(ofOthers)
            const stop = features.watch((method, params) => {
              hear(method, params)
              listener(method, params)
            }, client)
            return () => {
              listeners.delete(ofOthers)
              stop()
            }
          },
        } satisfies ToolService['features'],
      }),
    }
  }

  void follow()
  // Also without clients.
  const stop = service.onDefinitionsChanged?.(() => hear(TOOLS_CHANGED, {}))
  const { open } = service
  return {
    service: {
      ...spread(service),
      ...(open && { open: async (client) => spread(await open(client)) }),
    },
    close: () => {
      clearTimeout(timer)
      stop?.()
      closing.abort()
    },
  }
}

function readChanges(value: unknown): readonly (Change & { number: number; from: string })[] {
  const changes = isJsonObject(value) ? value['changes'] : undefined
  return (Array.isArray(changes) ? changes : []).flatMap((change) => {
    const { number, from, method, uri }: JsonObject = isJsonObject(change) ? change : {}
    if (typeof number !== 'number' || typeof from !== 'string') return []
    if (typeof method !== 'string' || !SPREAD.has(method)) return []
    return [{ number, from, method, ...(typeof uri === 'string' && { uri }) }]
  })
}
