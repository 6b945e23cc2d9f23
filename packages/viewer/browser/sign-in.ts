/** Exchanges the token in the address for a cookie, and opens the requested page. */
export async function connectSignIn(signIn: Element): Promise<void> {
  const [, token] = /^#t=([\w-]{43})$/.exec(location.hash) ?? []
  if (token === undefined) return
  const answer = await fetch('enter', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  // The token is removed from the history.
  if (answer.ok) location.replace(location.pathname + location.search)
  const status = signIn.querySelector('[role=status]')
  if (status && !answer.ok) status.textContent = await answer.text()
}
