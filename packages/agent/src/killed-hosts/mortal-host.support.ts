import type { ConversationStore, Documents } from '@toolblocks/conversation-store'

/** The moment at which a host dies. */
export interface Death {
  /** The number of the step, counted from 1. Nothing happens after it. */
  step: number
  /** Whether the step itself still takes effect. */
  effect: 'before' | 'after'
}

/** The part of a host that ends with it. After its death nothing that it has started continues, as after `kill -9`. */
export interface Life {
  /** The store, as the host sees it. */
  store: ConversationStore
  /** Does one step. */
  step<Value>(work: () => Value): Promise<Awaited<Value>>
  /** Settles when the host dies. */
  readonly died: Promise<'died'>
}

/** Gives a store to a host that dies. Every write to the store is a step. Without a death, the host lives on. */
export function beginLife(store: ConversationStore, death?: Death): Life {
  const { promise: died, resolve: die } = Promise.withResolvers<'died'>()
  const never = new Promise<never>(() => {})
  let steps = 0
  let isDead = false

  async function live<Value>(work: () => Value): Promise<Awaited<Value>> {
    if (isDead) return await never
    const value = await work()
    return isDead ? await never : value
  }

  async function step<Value>(work: () => Value): Promise<Awaited<Value>> {
    if (isDead) return await never
    steps += 1
    const isLast = steps === death?.step
    const isMissing = isLast && death.effect === 'before'
    isDead = isLast
    const value = isMissing ? undefined : work()
    if (isLast) {
      await Promise.resolve(value)
      die('died')
      return await never
    }
    return await live(() => value as Value)
  }

  const { documents } = store
  const mortal: Documents = {
    read: async (...args) => await live(async () => await documents.read(...args)),
    list: async (...args) => await live(async () => await documents.list(...args)),
    write: async (write) => await step(async () => await documents.write(write)),
    remove: async (...args) => await step(async () => await documents.remove(...args)),
    changed: async (...args) => await live(async () => await documents.changed(...args)),
  }
  return {
    store: {
      ...store,
      append: async (...args) => await step(async () => await store.append(...args)),
      read: async (...args) => await live(async () => await store.read(...args)),
      documents: mortal,
    },
    step,
    died,
  }
}
