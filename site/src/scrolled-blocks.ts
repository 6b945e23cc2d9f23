/**
 * Lets a keyboard scroll every wide table, and gives each scrolled code block a name of its own. Expressive Code makes such a block a region without a name,
 * and a screen reader lists regions by their names.
 */
export function nameScrolledBlocks(): void {
  const tables = new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0')
      else target.removeAttribute('tabindex')
  })
  for (const table of document.querySelectorAll('.sl-markdown-content table')) tables.observe(table)

  nameCode()
  new MutationObserver(nameCode).observe(document.body, {
    attributeFilter: ['role'],
    subtree: true,
  })
}

function nameCode(): void {
  for (const [index, block] of document.querySelectorAll('.expressive-code pre').entries())
    if (block.getAttribute('role') === 'region') block.ariaLabel = `Code block ${index + 1}`
    else block.removeAttribute('aria-label')
}
