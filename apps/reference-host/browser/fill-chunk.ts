interface Policy {
  createHTML(text: string): string
}

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(name: string, rules: { createHTML(text: string): string }): Policy
    }
  }
}

/** Only what our own server has written for a page, every string in it encoded, becomes markup. */
const policy: Policy = window.trustedTypes?.createPolicy('toolblocks', {
  createHTML: (text) => text,
}) ?? { createHTML: (text) => text }

/** Puts the events of a chunk in its place; where they cannot be had, it says so. */
export async function fillChunk(
  chunk: HTMLElement,
  address: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const answer = await fetch(address, { signal })
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
    const template = document.createElement('template')
    template.innerHTML = policy.createHTML(await answer.text())
    signal.throwIfAborted()
    chunk.replaceChildren(template.content)
    chunk.dataset['filled'] = ''
    chunk.style.height = ''
  } catch (error) {
    if (signal.aborted) return
    const reason = error instanceof Error ? error.message : String(error)
    chunk.textContent = `These events cannot be shown: ${reason}`
  }
}
