import { type RefObject, useEffect, useSyncExternalStore } from 'react'

/**
 * Returns whether React has taken over the elements of a server. Before that, a press of a button has no effect, and Enter in a field would load the
 * page again.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  )
}

const subscribeNever = (): (() => void) => () => {}

/** Passes on what was typed into an input before React took it over, because React would erase it with the next rendering. */
export function useEarlyText(
  input: RefObject<HTMLInputElement | null>,
  change: (text: string) => void,
): void {
  const isHydrated = useIsHydrated()
  useEffect(() => {
    const text = input.current?.value ?? ''
    if (!isHydrated && text !== '') change(text)
  }, [isHydrated, input, change])
}
