/** The names of the rows of books on the dashboard. */
export const TRENDING = "Explore Trending Stories";
export const LIVE = "Explore Trending Live Stories";
