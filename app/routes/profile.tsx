import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";

import { ProfileCard } from "#app/features/profile/profile-card.tsx";
import { getVisitor } from "#app/services/services.server.ts";

export { shouldRevalidate } from "./revalidation.ts";

export const meta: MetaFunction = () => [{ title: "Profile · Inkglade" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { account, headers } = await getVisitor({ request, context });
  return account ? { account } : redirect("/login", { headers });
}

export default function ProfileRoute() {
  const { account } = useLoaderData<typeof loader>();
  return <ProfileCard account={account} />;
}
