-- Computes the stored column all_groups.cell: the number of the cell of 0.1° x 0.1° that contains the point. If this
-- function changes, existing rows keep their old value until they are written again.
CREATE OR REPLACE FUNCTION f_cell(latitude double precision, longitude double precision) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT least(floor(($1 + 90) * 10), 1799)::integer * 3600 + least(floor(($2 + 180) * 10), 3599)::integer $$;

-- Returns the point on the unit sphere, or null without coordinates. This function computes the stored columns
-- all_groups.place and all_puls_posts.place and the values of the index live_events_nearest, and the count of groups in
-- cells uses it. If it changes, existing rows and entries of the index keep their old value until they are written
-- again.
CREATE OR REPLACE FUNCTION f_on_sphere(latitude double precision, longitude double precision) RETURNS cube LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN public.cube(ARRAY[
  cos(radians($1)) * cos(radians($2)), cos(radians($1)) * sin(radians($2)), sin(radians($1))]) END
$$;
