import { onTestFinished, expect, test } from 'vitest'
import { connectServer } from '../connect-server.ts'
import { openPage, prepareLogin } from '../testing/login-stage.support.ts'
import { createOAuth } from './create-oauth.ts'

test.for(['2025-11-25', '2026-07-28'] as const)(
  'after a login, a server of MCP %s is connected and called with the token',
  async (protocolVersion) => {
    const { options, server, authorization } = await prepareLogin()
    const oauth = createOAuth(options)
    const config = {
      name: 'greeter',
      transport: { kind: 'http', url: server.url },
      protocolVersion,
    } as const
    await expect(connectServer(config, {}, { fetch: oauth.fetch })).rejects.toMatchObject({
      code: 'unauthorized',
      reason: 'the server requires a login',
      fix: 'Log in: .',
    })
    await expect(oauth.logIn({ openPage })).resolves.toEqual({
      issuer: authorization.issuer,
      scopes: ['mcp:read', 'offline_access'],
      expiresAt: expect.any(Number),
      isRenewed: true,
    })
    const connected = await connectServer(config, {}, { fetch: oauth.fetch })
    onTestFinished(connected.close)
    const [tool] = connected.tools()
    const result = await tool?.execute(
      { id: '1', name: tool.name, arguments: {} },
      { signal: AbortSignal.timeout(5000), root: '/', answers: {} },
    )
    expect(result?.content).toEqual([expect.objectContaining({ text: 'Hello Ada' })])
    expect(authorization.grants).toEqual(['authorization_code'])
  },
)
