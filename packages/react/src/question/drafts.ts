import type { FormDraft } from '@toolblocks/inquiry/form'
import { parseJson } from '@toolblocks/protocol/internal'

/** Where drafts are kept: `sessionStorage` and `localStorage` fit. */
export interface DraftStorage {
  /** Returns a stored draft; `null` if there is none. */
  getItem(key: string): string | null
  /** Stores a draft, which is JSON. */
  setItem(key: string, value: string): void
  /** Removes a draft, after it was sent. */
  removeItem(key: string): void
}

const memory = new Map<string, string>()

/** Keeps drafts until the page is closed. On a server nothing is written. */
export const MEMORY: DraftStorage = {
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => void memory.set(key, value),
  removeItem: (key) => void memory.delete(key),
}

/** Returns the stored draft; `undefined` if there is none, or it cannot be read. */
export function readStored(storage: DraftStorage, key: string): FormDraft | undefined {
  try {
    const stored = parseJson(storage.getItem(key) ?? '')
    return isDraft(stored) ? new Map(stored) : undefined
  } catch {
    return undefined
  }
}

/** Stores a draft without its secrets. A storage that is full or forbidden must not prevent the answer. */
export function store(
  storage: DraftStorage,
  key: string,
  draft: FormDraft,
  secrets: ReadonlySet<string>,
): void {
  const kept = [...draft].filter(([name]) => !secrets.has(name))
  try {
    if (kept.length > 0) storage.setItem(key, JSON.stringify(kept))
  } catch {
    // The draft is still in the page.
  }
}

/** Removes a draft. */
export function discard(storage: DraftStorage, key: string): void {
  try {
    storage.removeItem(key)
  } catch {
    // It could not be stored either.
  }
}

function isDraft(value: unknown): value is [string, string[]][] {
  return (
    Array.isArray(value) &&
    value.every(
      (entry: unknown) =>
        Array.isArray(entry) &&
        entry.length === 2 &&
        typeof entry[0] === 'string' &&
        Array.isArray(entry[1]) &&
        entry[1].every((text: unknown) => typeof text === 'string'),
    )
  )
}
