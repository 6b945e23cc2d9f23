// Loaded before the server of GitHub (node --import): answers its requests with what the API of GitHub answered when `@octokit/fixtures` recorded it,
// so that no request leaves this machine. The folder with the package is in OCTOKIT_FIXTURES.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const read = (scenario) =>
  JSON.parse(
    readFileSync(
      join(
        process.env.OCTOKIT_FIXTURES,
        'scenarios/api.github.com',
        scenario,
        'normalized-fixture.json',
      ),
      'utf8',
    ),
  ).map(({ response }) => response)

globalThis.fetch = async (url) => {
  const { pathname } = new URL(url)
  if (pathname === '/search/issues') return Response.json(read('search-issues')[0])
  // The fixture has pages of three issues, the server asks for one page of thirty.
  if (/^\/repos\/[^/]+\/[^/]+\/issues$/.test(pathname))
    return Response.json(read('paginate-issues').flat())
  const issue = /\/issues\/(\d+)$/.exec(pathname)
  const body =
    issue &&
    read('paginate-issues')
      .flat()
      .find(({ number }) => number === Number(issue[1]))
  return body ? Response.json(body) : Response.json({ message: 'Not Found' }, { status: 404 })
}
