import type { SharedDocument, SharedDocuments } from '../server/shared-documents.ts'

/** Documents of one process, for several services in it. `fail()`: every later use through this view fails. */
export function createSharedDocuments(): { open(): SharedDocuments & { fail(): void } } {
  const stored = new Map<string, SharedDocument & { collection: string }>()
  return {
    open: () => {
      let isFailing = false
      const use = <Value>(work: () => Value): Promise<Value> =>
        isFailing ? Promise.reject(new Error('the store is gone')) : Promise.resolve(work())
      const read = (collection: string, id: string): SharedDocument | undefined =>
        stored.get(`${collection} ${id}`)
      return {
        read: async (...about) => await use(() => read(...about)),
        list: async (collection, { state, limit }) =>
          await use(() => {
            const all = [...stored.values()].filter(
              (each) =>
                each.collection === collection && (state === undefined || each.state === state),
            )
            return { documents: all.slice(0, limit) }
          }),
        write: async ({ collection, id, version, state, value }) =>
          await use(() => {
            const known = read(collection, id)
            if ((known?.version ?? 0) !== version)
              return { ok: false, ...(known && { document: known }) }
            const document = { collection, id, version: version + 1, state, value }
            stored.set(`${collection} ${id}`, structuredClone(document))
            return { ok: true, document }
          }),
        remove: async (collection, id, version) =>
          await use(
            () => read(collection, id)?.version === version && stored.delete(`${collection} ${id}`),
          ),
        fail: () => (isFailing = true),
      }
    },
  }
}
