import { createElement as h } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { GALLERY } from './gallery.ts'

/** Makes the examples of a page interactive: each is in an element with its name as `data-example`. */
export function hydrateGallery(): void {
  for (const { name, Example } of GALLERY.flatMap((part) => part.examples)) {
    const element = document.querySelector(`[data-example="${name}"]`)
    if (!element) continue
    hydrateRoot(element, h(Example), { identifierPrefix: name, onRecoverableError: reportError })
  }
}
