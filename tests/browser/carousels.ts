/** The names of the carousels on the dashboard. */
export const TRENDING = "Explore Trending Stories";
export const LIVE = "Explore Trending Live Stories";
